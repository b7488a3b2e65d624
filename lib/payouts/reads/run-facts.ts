import { type RawBuilder, sql } from 'kysely';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import type { Window } from '#lib/core/window.ts';
import { detailsInForce, newestNaming } from '#lib/payees/reads/in-force.ts';
import { returnedItems } from '#lib/payments/reads/returned-items.ts';
import type { RunRecipient } from '../rules/compose-run.ts';

/** The run that facts are read for; a preview has none, and follows none. */
export interface RunBasis {
  gameId: number;
  window: Window;
  snapshotId: number;
  runId: number | null;
  previousRunId: number | null;
}

/** The window of a row, by its alias, as an object. */
export const windowOf = (row: string): RawBuilder<Window> =>
  sql`json_build_object('start', ${nestedInstant(`${row}.window_start`)}, 'end', ${nestedInstant(`${row}.window_end`)})`;

/** Whether a later snapshot of the window of `ours`, by its alias, reports other figures or doesn't reconcile. Facts digests were not always stored. */
export function isContradicted(gameId: number, ours: string): RawBuilder<boolean> {
  const own = sql.ref(ours);
  return sql`
    exists (select from snapshot newer where newer.game_id = ${gameId} and newer.window_start = ${own}.window_start
    and newer.window_end = ${own}.window_end and newer.snapshot_id > ${own}.snapshot_id
    and (newer.status <> 'complete' or newer.facts_digest is distinct from ${own}.facts_digest or newer.facts_digest is null))`;
}

/** What Invo answered last about the window of the snapshot `ours`, by its alias, in the shape of `NewestAnswer`. */
export function newestAnswer(gameId: number, ours: string): RawBuilder<unknown> {
  const own = sql.ref(ours);
  return sql`(select json_build_object(
      'recheck', case when newest.recheck_id is not null then json_build_object('checkedAt', ${nestedInstant('newest.checked_at')}, 'isEqual', newest.is_equal) end,
      'pull', (select json_build_object('pullId', p.pull_id, 'state', case p.state when 'failed' then 'failed' else 'active' end) from pull p
        where p.game_id = ${gameId} and p.window_start = ${own}.window_start and p.window_end = ${own}.window_end
          and (p.state in ('queued', 'running') or p.state = 'failed' and p.pull_id > coalesce(newest.pull_id, ${own}.pull_id))
        order by p.state = 'failed' limit 1))
    from (values (1)) as one left join lateral (
      select r.recheck_id, r.pull_id, r.checked_at, r.is_equal from recheck r
        join snapshot compared on compared.game_id = ${gameId} and compared.snapshot_id = r.snapshot_id
      where r.game_id = ${gameId} and compared.window_start = ${own}.window_start and compared.window_end = ${own}.window_end
        and compared.snapshot_id >= ${own}.snapshot_id
      order by r.recheck_id desc limit 1
    ) newest on true)`;
}

/** The approved runs of a game as `run` whose month has other figures now (`now`) than when it was paid from (`paid`); further conditions follow. */
export function driftedRuns(gameId: number): RawBuilder<unknown> {
  return sql`
    payout_run run
    join snapshot paid on paid.game_id = ${gameId} and paid.snapshot_id = run.snapshot_id
    join current_window w on w.game_id = ${gameId} and w.window_start = run.window_start and w.window_end = run.window_end and w.status = 'complete'
    join snapshot now on now.game_id = ${gameId} and now.snapshot_id = w.snapshot_id
    where run.game_id = ${gameId} and run.state = 'approved' and now.snapshot_id <> paid.snapshot_id
     and (now.facts_digest is distinct from paid.facts_digest or now.facts_digest is null)`;
}

/**
 * Whether no run will include the confirmed adjustment `a`, by its alias: what is owed from before Sharebook opens the first run, and that one is in
 * review or approved. Such adjustments are refused; they were not always.
 */
export function isStranded(gameId: number, a: string): RawBuilder<boolean> {
  const own = sql.ref(a);
  return sql`(${own}.kind = 'brought_forward' and ${own}.confirmed_at is not null and ${own}.withdrawn_at is null and ${own}.run_id is null
    and ${hasFirstRun(gameId)})`;
}

/** Whether the first run of a game is in review or approved. */
export function hasFirstRun(gameId: number): RawBuilder<boolean> {
  return sql`
    exists (select from payout_run first_run where first_run.game_id = ${gameId} and first_run.state in ('submitted', 'approved'))`;
}

/**
 * The statement that yields a line for each recipient of a run, recipients of one identity next to each other: those the snapshot reports, those with a
 * balance from the run before, those with an adjustment that waits, and those to whom a payment came back. A recipient the snapshot doesn't report is read in the newest complete one that does.
 */
export function lineFactsQuery({ gameId, snapshotId, runId, previousRunId }: RunBasis): RawBuilder<RunRecipient> {
  return sql`
    with reported as (select * from snapshot_recipient where game_id = ${gameId} and snapshot_id = ${snapshotId}),
      carried as (select recipient_player_id, closing_usd from payout_line where game_id = ${gameId} and run_id = ${previousRunId} and closing_usd <> 0),
      adjusted as (
        select recipient_player_id, sum(amount_usd) as adjusted_usd from payout_adjustment
        where game_id = ${gameId} and confirmed_at is not null and withdrawn_at is null and (run_id is null or run_id = ${runId})
          and (kind <> 'brought_forward' or ${previousRunId}::bigint is null)
        group by recipient_player_id),
      returned as (
        select i.recipient_player_id, sum(i.amount_usd) as returned_usd from ${returnedItems(gameId, runId)} group by i.recipient_player_id),
      concerned as (
        select recipient_player_id from reported union select recipient_player_id from carried union select recipient_player_id from adjusted
        union select recipient_player_id from returned)
    select recipient_player_id as "recipientId", coalesce(reported.snapshot_id, earlier.snapshot_id) as "seenSnapshotId",
      case when reported.snapshot_id is null then earlier.player_name else reported.player_name end as name,
      coalesce(reported.identity_id, earlier.identity_id) as "identityId",
      case when reported.snapshot_id is null then earlier.resolved else reported.resolved end as "isResolved",
      coalesce(carried.closing_usd, 0)::text as opening_usd, coalesce(reported.gross_attributed_usd, 0)::text as earned_usd,
      coalesce(reported.reversed_attributed_usd, 0)::text as reversed_usd, coalesce(adjusted.adjusted_usd, 0)::text as adjusted_usd,
      coalesce(returned.returned_usd, 0.00)::text as returned_usd,
      own.minimum_usd,
      case when detail.detail_no is not null then json_build_object('detailNo', detail.detail_no, 'method', detail.method, 'identityId', detail.identity_id, 'reportedIdentityId', newest.identity_id) end as details
    from concerned
      left join reported using (recipient_player_id)
      left join carried using (recipient_player_id)
      left join adjusted using (recipient_player_id)
      left join returned using (recipient_player_id)
      left join lateral (
        select r.snapshot_id, r.player_name, r.identity_id, r.resolved
        from snapshot_recipient r join snapshot s on s.game_id = ${gameId} and s.snapshot_id = r.snapshot_id
        where reported.snapshot_id is null and r.game_id = ${gameId} and r.recipient_player_id = concerned.recipient_player_id and s.status = 'complete'
        order by r.snapshot_id desc limit 1
      ) earlier on true
      left join lateral (
        select minimum_usd from payout_minimum m where m.game_id = ${gameId} and m.recipient_player_id = concerned.recipient_player_id
        order by minimum_no desc limit 1
      ) own on true
      left join lateral ${detailsInForce(gameId, 'concerned.recipient_player_id')} detail on true
      left join lateral ${newestNaming(gameId, 'concerned.recipient_player_id')} newest on detail.detail_no is not null
    order by coalesce(reported.identity_id, earlier.identity_id) nulls first, recipient_player_id`;
}

/** Lists the facts of every line at once, for a preview. */
export async function listRecipientFacts(db: Db, basis: RunBasis): Promise<RunRecipient[]> {
  return (await lineFactsQuery(basis).execute(db)).rows;
}

/** Of these ids, those that Invo has reported as recipients or that a run has a line of, in order. */
export async function listKnownRecipients(db: Db, gameId: number, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct id from unnest(${ids}::bigint[]) as id
    where exists (select from snapshot_recipient r where r.game_id = ${gameId} and r.recipient_player_id = id)
      or exists (select from payout_line line where line.game_id = ${gameId} and line.recipient_player_id = id)
    order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Finds a settled period of a recipient with what is attributed for it; null: no complete snapshot in use has it. */
export async function findAttributedPeriod(
  db: Db,
  gameId: number,
  periodId: number,
  recipientId: number,
): Promise<{ periodId: number; attributed_usd: string } | null> {
  const { rows } = await sql<{ periodId: number; attributed_usd: string }>`
    select line.period_id as "periodId", line.attributed_amount_usd::text as attributed_usd
    from renewal_line line join snapshot_slice s on s.game_id = ${gameId} and s.slice_id = line.slice_id
      join current_window w on w.game_id = ${gameId} and w.snapshot_id = s.snapshot_id and w.status = 'complete'
    where line.game_id = ${gameId} and line.period_id = ${periodId} and line.recipient_player_id = ${recipientId} limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Whether Invo ever reported a period with a share of the recipient, as a renewal or as a reversal. */
export async function isPeriodOf(db: Db, gameId: number, periodId: number | null, recipientId: number): Promise<boolean> {
  const isOf = sql`line.game_id = ${gameId} and line.period_id = ${periodId} and line.recipient_player_id = ${recipientId}`;
  const { rows } = await sql`
    select where exists (select from renewal_line line where ${isOf}) or exists (select from reversal_line line where ${isOf})`.execute(db);
  return rows.length === 1;
}

/** Counts which of these recipients have everything due on hold at an instant, whatever run pays it. */
export async function countHeldWhole(db: Db, gameId: number, ids: readonly number[], now: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct recipient_player_id)::int as count from payout_hold
    where game_id = ${gameId} and recipient_player_id = any(${ids}::bigint[]) and period_id is null and amount_usd is null and only_run_id is null
      and released_at is null and (expires_at is null or expires_at > ${now})`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Finds the USD due to a recipient in a run; null: there is no run, or it has no line of theirs. */
export async function findDue(db: Db, run: { gameId: number; runId: number } | null, recipientId: number): Promise<string | null> {
  if (run === null) return null;
  const line = await db
    .selectFrom('payout_line')
    .select('due_usd')
    .where('game_id', '=', run.gameId)
    .where('run_id', '=', run.runId)
    .where('recipient_player_id', '=', recipientId)
    .executeTakeFirst();
  return line?.due_usd ?? null;
}
