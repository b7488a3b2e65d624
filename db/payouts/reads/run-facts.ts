import type pg from 'pg';
import { compareInstants } from '#lib/core/instant.ts';
import type { Window } from '#lib/core/window.ts';
import type { HeldPeriod, Hold, RecipientFacts } from '#lib/payouts/rules/compose-run.ts';
import {
  type DeductionHistory,
  type DriftAdjustment,
  deductionsBefore,
  type ReportedReversal,
  type ReversalHistory,
} from '#lib/payouts/rules/decide-reversal.ts';
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
 * The periods of refunds of ours that this month's payments wait for, as `refunded`, whatever month the period settled in; $1 is the game, `windowEnd` the
 * end of the window. An open refund may take the money back any moment. One that was made before the window ended belongs to this or an earlier month's
 * reversals; until a slice reports it, those are incomplete. One made later belongs to a later month: this month is complete without it. Whose share
 * it is comes from the evidence or, of a month that was never pulled, from what Invo reported when the refund was requested; nobody's: it concerns no recipient.
 */
export const refundedPeriods = (windowEnd: string): string => `(
  select distinct on (period_id) * from (
    select refund.period_id, coalesce(line.recipient_player_id, (refund.facts -> 'period' -> 'attribution' ->> 'recipient_player_id')::bigint) as recipient_player_id,
      coalesce(line.attributed_amount_usd, (refund.facts -> 'period' -> 'attribution' ->> 'attributed_amount_usd')::numeric) as attributed_usd
    from refund left join lateral (
      select l.recipient_player_id, l.attributed_amount_usd from renewal_line l where l.game_id = refund.game_id and l.period_id = refund.period_id
      order by l.slice_id desc limit 1) line on true
    where refund.game_id = $1 and (refund.state in (${OPEN_STATES.map((state) => `'${state}'`).join(', ')})
      or refund.state = 'landed' and refund.reversal_slice_id is null
        and coalesce((refund.receipt ->> 'refunded_at')::timestamptz, refund.ended_at) < ${windowEnd})) found
  where recipient_player_id is not null order by period_id) refunded`;

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

/** What reversal lines say of each period of one snapshot, as columns of a statement that groups by period. */
export const REVERSAL_OF_PERIOD = `line.period_id, min(line.recipient_player_id) as recipient_player_id, max(line.originally_attributed_usd) as attributed_usd,
  sum(line.reversed_attributed_usd) as reported_usd, bool_or(line.reversal_basis <> 'refund_receipts') as is_coarse`;
/** Such a row, as `r`, as it is decided about. */
export const REPORTED = `r.period_id as "periodId", r.recipient_player_id as "recipientId", r.attributed_usd::text, r.reported_usd::text, r.is_coarse as "isCoarse"`;

/** Reads what a snapshot reports as reversed, and what was deducted of the same periods before. */
export async function findReversalHistory(from: Queryable, basis: RunBasis): Promise<ReversalHistory> {
  const { rows: reported } = await from.query<ReportedReversal>(
    `select ${REPORTED} from (
       select ${REVERSAL_OF_PERIOD} from snapshot_slice s join reversal_line line using (game_id, slice_id)
       where s.game_id = $1 and s.snapshot_id = $2 group by line.period_id) r
     order by r.period_id`,
    [basis.gameId, basis.snapshotId],
  );
  const periodIds = reported.map(({ periodId }) => periodId);
  return { reported, ...(await findDeductionHistory(from, basis, periodIds)) };
}

/** Reads what was deducted of these periods before the window of a run. */
export async function findDeductionHistory(from: Queryable, basis: RunBasis, periodIds: readonly number[]): Promise<DeductionHistory> {
  if (periodIds.length === 0) return { before: [], takenByRuns: new Map(), adjustments: [] };
  return {
    before: await listBeforeRuns(from, basis, periodIds),
    takenByRuns: await findTaken(from, basis, periodIds),
    adjustments: await listDriftAdjustments(from, basis, periodIds),
  };
}

/**
 * Lists what windows before the first run of the game stated of these periods, oldest first. Of each window and period the largest amount counts that a
 * complete snapshot ever stated: whoever paid that month may have deducted it, and a reversal that moved since is no longer reported there. Of windows that
 * overlap, the one that begins first and lasts longest.
 */
export async function listBeforeRuns(
  from: Queryable,
  { gameId, window }: Pick<RunBasis, 'gameId' | 'window'>,
  periodIds: readonly number[],
): Promise<ReportedReversal[][]> {
  const { rows } = await from.query<ReportedReversal & Window>(
    `select w.window_start as start, w.window_end as "end", ${REPORTED} from (
       select distinct on (w.window_start, w.window_end, of_snapshot.period_id) w.window_start, w.window_end, of_snapshot.*
       from (
         select s.snapshot_id, ${REVERSAL_OF_PERIOD} from reversal_line line join snapshot_slice s using (game_id, slice_id)
         where line.game_id = $1 and line.period_id = any($2::bigint[]) group by s.snapshot_id, line.period_id) of_snapshot
         join snapshot w on w.game_id = $1 and w.snapshot_id = of_snapshot.snapshot_id and w.status = 'complete'
       where w.window_end <= least($3::timestamptz, (select min(run.window_start) from payout_run run where run.game_id = $1 and run.state <> 'void'))
       order by w.window_start, w.window_end, of_snapshot.period_id, of_snapshot.reported_usd desc, w.snapshot_id desc
     ) r cross join lateral (select r.window_start, r.window_end) w
     order by w.window_start, w.window_end desc, r.period_id`,
    [gameId, periodIds, window.start],
  );
  const before: { window: Window; reversals: ReportedReversal[] }[] = [];
  for (const { start, end, ...reversal } of rows) {
    const last = before.at(-1);
    if (last?.window.start === start && last.window.end === end) last.reversals.push(reversal);
    else if (last === undefined || compareInstants(start, last.window.end) >= 0)
      before.push({ window: { start, end }, reversals: [reversal] });
  }
  return before.map(({ reversals }) => reversals);
}

/** The last run of an earlier window that reported a period: $1 game, $2 periods, $3 the window's start, $4 the run itself. */
const LAST_TAKEN = `
  select distinct on (r.period_id) r.period_id, r.taken_before_usd + r.taken_usd as taken_usd, run.window_start
  from payout_reversal r join payout_run run using (game_id, run_id)
  where r.game_id = $1 and r.period_id = any($2::bigint[]) and run.state <> 'void' and run.window_start < $3 and r.run_id is distinct from $4
  order by r.period_id, run.window_start desc`;

/** What runs of earlier windows deducted of these periods in total, what was deducted before the first run included. */
async function findTaken(from: Queryable, { gameId, window, runId }: RunBasis, periodIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await from.query<{ periodId: number; taken_usd: string }>(
    `select period_id as "periodId", taken_usd::text from (${LAST_TAKEN}) last`,
    [gameId, periodIds, window.start, runId],
  );
  return new Map(rows.map(({ periodId, taken_usd }) => [periodId, taken_usd]));
}

/** Adjustments of a changed earlier month that are confirmed, with what the run they correct deducted of the period they name. */
export const DRIFT_ADJUSTMENTS = `
  payout_adjustment a
    left join payout_reversal corrected on corrected.game_id = a.game_id and corrected.run_id = a.corrects_run_id and corrected.period_id = a.corrects_period_id
    left join payout_run corrects on corrects.game_id = a.game_id and corrects.run_id = a.corrects_run_id
    left join payout_run included on included.game_id = a.game_id and included.run_id = a.run_id
  where a.kind = 'drift' and a.confirmed_at is not null and a.withdrawn_at is null`;

/** Lists the confirmed adjustments that deducted or gave back something of these periods since the last run that reported them, this run's included. */
async function listDriftAdjustments(
  from: Queryable,
  { gameId, window, runId }: RunBasis,
  periodIds: readonly number[],
): Promise<DriftAdjustment[]> {
  const { rows } = await from.query<DriftAdjustment>(
    `with last as (${LAST_TAKEN})
     select a.corrects_period_id as "periodId", a.amount_usd::text, coalesce(a.corrects_run_id, 0) as "correctsRunId",
       coalesce(corrected.taken_usd, 0)::text as "runTaken_usd"
     from ${DRIFT_ADJUSTMENTS} and a.game_id = $1 and a.corrects_period_id = any($2::bigint[])
       and (a.run_id is null or a.run_id = $4 or included.window_start < $3)
       and not exists (select from last where last.period_id = a.corrects_period_id and last.window_start >= included.window_start)
     order by a.adjustment_id`,
    [gameId, periodIds, window.start, runId],
  );
  return rows;
}

/** The periods that a draft holds, with each reason: $1 game, $2 snapshot, $3 the window's end. */
export const HELD_PERIODS = `
  select period_id, recipient_player_id, attributed_usd, 'open_refund' as reason from ${refundedPeriods('$3')}
  union all
  select line.period_id, line.recipient_player_id, line.attributed_amount_usd, 'base_mismatch'
  from snapshot_slice s join renewal_line line using (game_id, slice_id)
  where s.game_id = $1 and s.snapshot_id = $2 and line.base_matches_settled_fee is false`;

/**
 * Lists the periods that a draft holds: refunds of ours whose reversal Invo has not reported yet, of whatever month, and bases of this month that differ from
 * the settled fee. Each is held once for a reason, an open refund first: one that was released stays released.
 */
export async function listHeldPeriods(from: Queryable, basis: RunBasis): Promise<HeldPeriod[]> {
  const { gameId, snapshotId, window } = basis;
  const { rows } = await from.query<Omit<HeldPeriod, 'takenBefore_usd'>>(
    `select period_id as "periodId", recipient_player_id as "recipientId", attributed_usd::text, reason
     from (select distinct on (period_id) * from (${HELD_PERIODS}) each order by period_id, reason desc) found
     where not exists (select from payout_hold h where h.game_id = $1 and h.recipient_player_id = found.recipient_player_id and h.period_id = found.period_id
       and h.reason_code = found.reason)
     order by period_id`,
    [gameId, snapshotId, window.end],
  );
  return await withTakenBefore(from, basis, rows);
}

/** Completes periods with what was deducted of each before the window. */
async function withTakenBefore<Row extends { periodId: number | null; attributed_usd: string | null }>(
  from: Queryable,
  basis: RunBasis,
  rows: readonly Row[],
): Promise<(Row & { takenBefore_usd: string })[]> {
  const takenBefore = deductionsBefore(
    await findDeductionHistory(
      from,
      basis,
      rows.flatMap(({ periodId }) => periodId ?? []),
    ),
  );
  return rows.map((row) => {
    const { periodId, attributed_usd } = row;
    const takenBefore_usd = periodId === null || attributed_usd === null ? '0.00' : takenBefore({ periodId, attributed_usd });
    return { ...row, takenBefore_usd };
  });
}

/** A hold with its reason. */
export interface NamedHold extends Hold {
  reason: string;
}

/** Lists the holds that apply to a run at an instant, with what is left of the period each is about. */
export async function listHolds(from: Queryable, basis: RunBasis, now: string): Promise<NamedHold[]> {
  const { rows } = await from.query<Omit<NamedHold, 'takenBefore_usd'>>(
    `select hold_id as "holdId", recipient_player_id as "recipientId", period_id as "periodId", amount_usd, attributed_usd, reason_code as reason,
       only_run_id is not null as "isExclusion"
     from payout_hold
     where game_id = $1 and released_at is null and (expires_at is null or expires_at > $2) and (only_run_id is null or only_run_id = $3)
     order by hold_id`,
    [basis.gameId, now, basis.runId],
  );
  const holds = await withTakenBefore(from, basis, rows);
  return holds.map((hold) => (hold.periodId === null ? { ...hold, takenBefore_usd: null } : hold));
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
