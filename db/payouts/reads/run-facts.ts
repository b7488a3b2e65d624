import type pg from 'pg';
import { instantText } from '#db/kit/open.ts';
import { compareInstants } from '#lib/core/instant.ts';
import type { Window } from '#lib/core/window.ts';
import type { HeldPeriod, Hold, RecipientFacts } from '#lib/payouts/rules/compose-run.ts';
import type { ReportedReversal, ReversalHistory } from '#lib/payouts/rules/decide-reversal.ts';
import { OPEN_STATES } from '#lib/refunds/rules/state.ts';

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

/** Whether a period of `line`, by its alias, has a refund that is open, or whose reversal Invo hasn't reported although its window is over. */
export function hasOpenRefund(line: string, windowEnd: string): string {
  return `exists (select from refund where refund.game_id = ${line}.game_id and refund.period_id = ${line}.period_id and (
    refund.state in (${OPEN_STATES.map((state) => `'${state}'`).join(', ')})
    or (refund.state = 'landed' and refund.reversal_slice_id is null and refund.ended_at < ${windowEnd})))`;
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

/**
 * Reads what a snapshot reports as reversed, and what was reported and deducted of the same periods before. Windows before the first run of the game
 * count as they are reported now; of those that overlap, the one that begins first and lasts longest.
 */
export async function findReversalHistory(from: Queryable, { gameId, snapshotId, window, runId }: RunBasis): Promise<ReversalHistory> {
  const { rows } = await from.query<ReportedReversal & Window & { isThis: boolean }>(
    `with window_reversal as (
       select s.snapshot_id, line.period_id, min(line.recipient_player_id) as recipient_player_id,
         max(line.originally_attributed_usd) as attributed, sum(line.reversed_attributed_usd) as reported,
         bool_or(line.reversal_basis <> 'refund_receipts') as is_coarse
       from snapshot_slice s join reversal_line line using (game_id, slice_id)
       where s.game_id = $1 and line.period_id in (
         select of_this.period_id from snapshot_slice mine join reversal_line of_this using (game_id, slice_id)
         where mine.game_id = $1 and mine.snapshot_id = $2)
       group by s.snapshot_id, line.period_id
     )
     select w.window_start as start, w.window_end as "end", r.snapshot_id = $2 as "isThis", r.period_id as "periodId",
       r.recipient_player_id as "recipientId", r.attributed::text as attributed_usd, r.reported::text as reported_usd, r.is_coarse as "isCoarse"
     from window_reversal r join snapshot w on w.game_id = $1 and w.snapshot_id = r.snapshot_id
     where r.snapshot_id = $2 or (w.status = 'complete' and r.snapshot_id in (select c.snapshot_id from current_window c where c.game_id = $1)
       and w.window_end <= least($3::timestamptz, (select min(run.window_start) from payout_run run where run.game_id = $1 and run.state <> 'void')))
     order by w.window_start, w.window_end desc, r.period_id`,
    [gameId, snapshotId, window.start],
  );
  const before: { window: Window; reversals: ReportedReversal[] }[] = [];
  const reported: ReportedReversal[] = [];
  for (const { start, end, isThis, ...reversal } of rows) {
    const last = before.at(-1);
    if (isThis) reported.push(reversal);
    else if (last?.window.start === start && last.window.end === end) last.reversals.push(reversal);
    else if (last === undefined || compareInstants(start, last.window.end) >= 0)
      before.push({ window: { start, end }, reversals: [reversal] });
  }
  const periodIds = reported.map(({ periodId }) => periodId);
  const takenByRuns = await findTaken(from, { gameId, window, runId }, periodIds);
  return { reported, before: before.map(({ reversals }) => reversals), takenByRuns };
}

/** What runs of earlier windows deducted of these periods in total, what was deducted before the first run included. */
async function findTaken(
  from: Queryable,
  { gameId, window, runId }: Pick<RunBasis, 'gameId' | 'window' | 'runId'>,
  periodIds: readonly number[],
): Promise<Map<number, string>> {
  const { rows } = await from.query<{ periodId: number; taken_usd: string }>(
    `select distinct on (r.period_id) r.period_id as "periodId", (r.taken_before_usd + r.taken_usd)::text as taken_usd
     from payout_reversal r join payout_run run using (game_id, run_id)
     where r.game_id = $1 and r.period_id = any($2::bigint[]) and run.state <> 'void' and run.window_start < $3 and r.run_id is distinct from $4
     order by r.period_id, run.window_start desc`,
    [gameId, periodIds, window.start, runId],
  );
  return new Map(rows.map(({ periodId, taken_usd }) => [periodId, taken_usd]));
}

/**
 * Lists the periods of a snapshot that a draft holds: a refund whose reversal Invo has not reported yet, or a base that differs from the settled fee.
 * Each is held once for a reason: one that was released stays released.
 */
export async function listHeldPeriods(from: Queryable, { gameId, snapshotId, window }: RunBasis): Promise<HeldPeriod[]> {
  const { rows } = await from.query<HeldPeriod>(
    `select * from (
       select period_id as "periodId", recipient_player_id as "recipientId", attributed_amount_usd as attributed_usd,
         case when has_refund then 'open_refund' else 'base_mismatch' end as reason
       from (
         select line.*, ${hasOpenRefund('line', '$3')} as has_refund
         from snapshot_slice s join renewal_line line using (game_id, slice_id)
         where s.game_id = $1 and s.snapshot_id = $2
       ) line
       where has_refund or base_matches_settled_fee is false
     ) found
     where not exists (select from payout_hold h where h.game_id = $1 and h.recipient_player_id = found."recipientId" and h.period_id = found."periodId"
       and h.reason_code = found.reason)
     order by "periodId"`,
    [gameId, snapshotId, window.end],
  );
  return rows;
}

/** A hold with its reason. */
export interface NamedHold extends Hold {
  reason: string;
}

/** Lists the holds that apply to a run at an instant, with what is left of the period each is about. */
export async function listHolds(from: Queryable, { gameId, window, runId }: RunBasis, now: string): Promise<NamedHold[]> {
  const { rows } = await from.query<Omit<NamedHold, 'takenBefore_usd'>>(
    `select hold_id as "holdId", recipient_player_id as "recipientId", period_id as "periodId", amount_usd, attributed_usd, reason_code as reason,
       only_run_id is not null as "isExclusion"
     from payout_hold
     where game_id = $1 and released_at is null and (expires_at is null or expires_at > $2) and (only_run_id is null or only_run_id = $3)
     order by hold_id`,
    [gameId, now, runId],
  );
  const periodIds = rows.flatMap(({ periodId }) => periodId ?? []);
  const taken = periodIds.length === 0 ? new Map<number, string>() : await findTaken(from, { gameId, window, runId }, periodIds);
  return rows.map((hold) => ({ ...hold, takenBefore_usd: hold.periodId === null ? null : (taken.get(hold.periodId) ?? '0.00') }));
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
