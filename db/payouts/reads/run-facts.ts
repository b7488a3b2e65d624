import type pg from 'pg';
import { instantText } from '#db/kit/open.ts';
import type { Window } from '#lib/core/window.ts';
import type { RecipientFacts } from '#lib/payouts/rules/compose-run.ts';

/** A connection in the transaction of a composition, or a pool for a preview. */
export type Queryable = Pick<pg.ClientBase, 'query'>;

/** The run that facts are read for; a preview has none, and follows none. */
export interface RunBasis {
  gameId: number;
  window: Window;
  snapshotId: number;
  runId: number | null;
  previousRunId: number | null;
}

/** Whether a later snapshot of the window of `ours`, by its alias, reports other figures or doesn't reconcile. Facts digests were not always kept. */
export function isContradicted(ours: string): string {
  return `exists (select from snapshot newer where newer.game_id = ${ours}.game_id and newer.window_start = ${ours}.window_start
    and newer.window_end = ${ours}.window_end and newer.snapshot_id > ${ours}.snapshot_id
    and (newer.status <> 'complete' or newer.facts_digest is distinct from ${ours}.facts_digest or newer.facts_digest is null))`;
}

/** What Invo answered last about the window of the snapshot `ours`, by its alias, in the shape of `NewestAnswer`. Parameter $1 is the game. */
export function newestAnswer(ours: string): string {
  return `(select json_build_object(
      'recheck', case when newest.recheck_id is not null then json_build_object('checkedAt', ${instantText('newest.checked_at')}, 'isEqual', newest.is_equal) end,
      'pull', (select json_build_object('pullId', p.pull_id, 'state', case p.state when 'failed' then 'failed' else 'active' end) from pull p
        where p.game_id = $1 and p.window_start = ${ours}.window_start and p.window_end = ${ours}.window_end
          and (p.state in ('queued', 'running') or p.state = 'failed' and p.pull_id > coalesce(newest.pull_id, ${ours}.pull_id))
        order by p.state = 'failed' limit 1))
    from (values (1)) as one left join lateral (
      select r.recheck_id, r.pull_id, r.checked_at, r.is_equal from recheck r
        join snapshot compared on compared.game_id = $1 and compared.snapshot_id = r.snapshot_id
      where r.game_id = $1 and compared.window_start = ${ours}.window_start and compared.window_end = ${ours}.window_end
        and compared.snapshot_id >= ${ours}.snapshot_id
      order by r.recheck_id desc limit 1
    ) newest on true)`;
}

/** The approved runs as `run` whose month has other figures now (`now`) than when it was paid from (`paid`); further conditions follow. */
export const DRIFTED_RUNS = `payout_run run
  join snapshot paid on paid.game_id = run.game_id and paid.snapshot_id = run.snapshot_id
  join current_window w on w.game_id = run.game_id and w.window_start = run.window_start and w.window_end = run.window_end and w.status = 'complete'
  join snapshot now on now.game_id = run.game_id and now.snapshot_id = w.snapshot_id
  where run.state = 'approved' and now.snapshot_id <> paid.snapshot_id
    and (now.facts_digest is distinct from paid.facts_digest or now.facts_digest is null)`;

/**
 * Whether no run will include the confirmed adjustment `a`: what is owed from before Sharebook opens the first run, and that one is in review or approved.
 * Such adjustments are refused; they were not always.
 */
export function isStranded(a: string): string {
  return `(${a}.kind = 'brought_forward' and ${a}.confirmed_at is not null and ${a}.withdrawn_at is null and ${a}.run_id is null
    and ${hasFirstRun(a)})`;
}

/** Whether the first run of the game of `row` is in review or approved. */
export function hasFirstRun(row: string): string {
  return `exists (select from payout_run run where run.game_id = ${row}.game_id and run.state in ('submitted', 'approved'))`;
}

/**
 * The statement that yields a line for each recipient of a run, recipients of one identity next to each other: those the snapshot reports, those with a
 * balance from the run before, and those with an adjustment that waits. A recipient the snapshot doesn't report is read in the newest complete one that does.
 */
export function lineFactsQuery({ gameId, snapshotId, runId, previousRunId }: RunBasis): { text: string; values: unknown[] } {
  const text = `
    with reported as (select * from snapshot_recipient where game_id = $1 and snapshot_id = $2),
      carried as (select recipient_player_id, closing_usd from payout_line where game_id = $1 and run_id = $4 and closing_usd <> 0),
      adjusted as (
        select recipient_player_id, sum(amount_usd) as adjusted_usd from payout_adjustment
        where game_id = $1 and confirmed_at is not null and withdrawn_at is null and (run_id is null or run_id = $3)
          and (kind <> 'brought_forward' or $4::bigint is null)
        group by recipient_player_id),
      concerned as (
        select recipient_player_id from reported union select recipient_player_id from carried union select recipient_player_id from adjusted)
    select recipient_player_id as "recipientId", coalesce(reported.snapshot_id, earlier.snapshot_id) as "seenSnapshotId",
      case when reported.snapshot_id is null then earlier.player_name else reported.player_name end as name,
      coalesce(reported.identity_id, earlier.identity_id) as "identityId",
      case when reported.snapshot_id is null then earlier.resolved else reported.resolved end as "isResolved",
      coalesce(carried.closing_usd, 0)::text as opening_usd, coalesce(reported.gross_attributed_usd, 0)::text as earned_usd,
      coalesce(reported.reversed_attributed_usd, 0)::text as reversed_usd, coalesce(adjusted.adjusted_usd, 0)::text as adjusted_usd,
      own.minimum_usd
    from concerned
      left join reported using (recipient_player_id)
      left join carried using (recipient_player_id)
      left join adjusted using (recipient_player_id)
      left join lateral (
        select r.snapshot_id, r.player_name, r.identity_id, r.resolved from snapshot_recipient r join snapshot s using (game_id, snapshot_id)
        where reported.snapshot_id is null and r.game_id = $1 and r.recipient_player_id = concerned.recipient_player_id and s.status = 'complete'
        order by r.snapshot_id desc limit 1
      ) earlier on true
      left join lateral (
        select minimum_usd from payout_minimum m where m.game_id = $1 and m.recipient_player_id = concerned.recipient_player_id
        order by minimum_no desc limit 1
      ) own on true
    order by coalesce(reported.identity_id, earlier.identity_id) nulls first, recipient_player_id`;
  return { text, values: [gameId, snapshotId, runId, previousRunId] };
}

/** Lists the facts of every line at once, for a preview. */
export async function listRecipientFacts(from: Queryable, basis: RunBasis): Promise<RecipientFacts[]> {
  return (await from.query<RecipientFacts>(lineFactsQuery(basis))).rows;
}

/** Of these ids, those that Invo has reported as recipients or that a run has a line of, in order. */
export async function listKnownRecipients(from: Queryable, gameId: number, ids: readonly number[]): Promise<number[]> {
  const { rows } = await from.query<{ id: number }>(
    `select distinct id from unnest($2::bigint[]) as id
     where exists (select from snapshot_recipient r where r.game_id = $1 and r.recipient_player_id = id)
       or exists (select from payout_line line where line.game_id = $1 and line.recipient_player_id = id)
     order by id`,
    [gameId, ids],
  );
  return rows.map(({ id }) => id);
}

/** Finds a settled period of a recipient with what is attributed for it; null: no complete snapshot in use has it. */
export async function findAttributedPeriod(
  from: Queryable,
  gameId: number,
  periodId: number,
  recipientId: number,
): Promise<{ periodId: number; attributed_usd: string } | null> {
  const { rows } = await from.query<{ periodId: number; attributed_usd: string }>(
    `select line.period_id as "periodId", line.attributed_amount_usd::text as attributed_usd
     from renewal_line line join snapshot_slice s using (game_id, slice_id)
       join current_window w on w.game_id = s.game_id and w.snapshot_id = s.snapshot_id and w.status = 'complete'
     where line.game_id = $1 and line.period_id = $2 and line.recipient_player_id = $3 limit 1`,
    [gameId, periodId, recipientId],
  );
  return rows[0] ?? null;
}

/** Whether Invo ever reported a period with a share of the recipient, as a renewal or as a reversal. */
export async function isPeriodOf(from: Queryable, gameId: number, periodId: number | null, recipientId: number): Promise<boolean> {
  const { rowCount } = await from.query(
    `select where exists (select from renewal_line line where line.game_id = $1 and line.period_id = $2 and line.recipient_player_id = $3)
       or exists (select from reversal_line line where line.game_id = $1 and line.period_id = $2 and line.recipient_player_id = $3)`,
    [gameId, periodId, recipientId],
  );
  return rowCount === 1;
}

/** Counts which of these recipients have everything due on hold at an instant, whatever run pays it. */
export async function countHeldWhole(from: Queryable, gameId: number, ids: readonly number[], now: string): Promise<number> {
  const { rows } = await from.query<{ count: number }>(
    `select count(distinct recipient_player_id)::int as count from payout_hold
     where game_id = $1 and recipient_player_id = any($2::bigint[]) and period_id is null and amount_usd is null and only_run_id is null
       and released_at is null and (expires_at is null or expires_at > $3)`,
    [gameId, ids, now],
  );
  return rows[0]?.count ?? 0;
}

/** Finds the USD due to a recipient in a run; null: there is no run, or it has no line of theirs. */
export async function findDue(from: Queryable, run: { gameId: number; runId: number } | null, recipientId: number): Promise<string | null> {
  if (run === null) return null;
  const { rows } = await from.query<{ due_usd: string }>(
    'select due_usd::text from payout_line where game_id = $1 and run_id = $2 and recipient_player_id = $3',
    [run.gameId, run.runId, recipientId],
  );
  return rows[0]?.due_usd ?? null;
}
