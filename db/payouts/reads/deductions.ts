import { compareInstants } from '#lib/core/instant.ts';
import type { Window } from '#lib/core/window.ts';
import type { ChangedPeriod, DriftFacts } from '#lib/payouts/rules/decide-drift.ts';
import type { DeductionHistory, DriftAdjustment, ReportedReversal, ReversalHistory } from '#lib/payouts/rules/decide-reversal.ts';
import { DRIFTED_RUNS, type Queryable, type RunBasis } from './run-facts.ts';

/** What reversal lines say of each period of one snapshot, as columns of a statement that groups by period. */
const REVERSAL_OF_PERIOD = `line.period_id, min(line.recipient_player_id) as recipient_player_id, max(line.originally_attributed_usd) as attributed_usd,
  sum(line.reversed_attributed_usd) as reported_usd, bool_or(line.reversal_basis <> 'refund_receipts') as is_coarse`;
/** Such a row, as `r`, as it is decided about. */
const REPORTED = `r.period_id as "periodId", r.recipient_player_id as "recipientId", r.attributed_usd::text, r.reported_usd::text, r.is_coarse as "isCoarse"`;

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
 * complete snapshot ever stated: the studio may have deducted it that month, and a reversal that moved since is no longer reported there. Of windows that
 * overlap, the one that begins first and lasts longest.
 */
async function listBeforeRuns(
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

/** Lists the confirmed adjustments that deducted or gave back something of these periods until this run, its own included. */
async function listDriftAdjustments(
  from: Queryable,
  { gameId, window, runId }: RunBasis,
  periodIds: readonly number[],
): Promise<DriftAdjustment[]> {
  const { rows } = await from.query<DriftAdjustment>(
    `with last as (${LAST_TAKEN})
     select a.corrects_period_id as "periodId", a.amount_usd::text, coalesce(a.corrects_run_id, 0) as "correctsRunId",
       coalesce(corrected.taken_usd, 0)::text as "runTaken_usd",
       exists (select from last where last.period_id = a.corrects_period_id and last.window_start >= included.window_start) as "isCounted"
     from ${DRIFT_ADJUSTMENTS} and a.game_id = $1 and a.corrects_period_id = any($2::bigint[])
       and (a.run_id is null or a.run_id = $4 or included.window_start < $3)
     order by a.adjustment_id`,
    [gameId, periodIds, window.start, runId],
  );
  return rows;
}

/**
 * The lines in which the months of approved runs differ from the ones they were paid from. Only slices that one snapshot has and the other hasn't are
 * compared: most of a month is pulled once.
 */
const CHANGED = `
  drifted as materialized (
    select run.run_no, paid.snapshot_id as paid_id, now.snapshot_id as now_id from ${DRIFTED_RUNS} and run.game_id = $1 and run.window_start < $2),
  differing as materialized (
    select d.run_no, s.slice_id, s.snapshot_id = d.now_id as is_now
    from drifted d join snapshot_slice s on s.game_id = $1 and s.snapshot_id in (d.paid_id, d.now_id)
    where not exists (select from snapshot_slice other where other.game_id = $1 and other.slice_id = s.slice_id
      and other.snapshot_id = case when s.snapshot_id = d.now_id then d.paid_id else d.now_id end)),
  earned as (
    select d.run_no, line.period_id, min(line.recipient_player_id) as recipient_player_id,
      sum(case when d.is_now then line.attributed_amount_usd else -line.attributed_amount_usd end) as change_usd
    from differing d join renewal_line line on line.game_id = $1 and line.slice_id = d.slice_id
    group by d.run_no, line.period_id having sum(case when d.is_now then line.attributed_amount_usd else -line.attributed_amount_usd end) <> 0),
  reversed as (
    select d.run_no, line.period_id, min(line.recipient_player_id) as recipient_player_id, bool_or(line.reversal_basis <> 'refund_receipts') as is_coarse,
      coalesce(sum(line.reversed_attributed_usd) filter (where not d.is_now), 0) as then_usd,
      coalesce(sum(line.reversed_attributed_usd) filter (where d.is_now), 0) as now_usd
    from differing d join reversal_line line on line.game_id = $1 and line.slice_id = d.slice_id
    group by d.run_no, line.period_id
    having coalesce(sum(line.reversed_attributed_usd) filter (where not d.is_now), 0) <> coalesce(sum(line.reversed_attributed_usd) filter (where d.is_now), 0)),
  named as (
    select coalesce(corrects.run_no, 0) as run_no, a.corrects_period_id as period_id, a.recipient_player_id
    from ${DRIFT_ADJUSTMENTS} and a.game_id = $1 and a.corrects_period_id is not null),
  every as (
    select run_no, period_id, recipient_player_id, change_usd, 0 as then_usd, 0 as now_usd, false as is_coarse from earned
    union all select run_no, period_id, recipient_player_id, 0, then_usd, now_usd, is_coarse from reversed
    union all select run_no, period_id, recipient_player_id, 0, 0, 0, false from named)`;

/** Reads what tells how far approved runs and confirmed adjustments are from what Invo reports of their months now. */
export async function findDriftFacts(from: Queryable, basis: RunBasis): Promise<DriftFacts> {
  const { gameId, window } = basis;
  const { rows: periods } = await from.query<ChangedPeriod>(
    `with ${CHANGED}
     select every.period_id as "periodId", every.recipient_player_id as "recipientId", max(every.run_no) as "runNo", sum(every.change_usd)::text as "earnedChange_usd",
       sum(every.then_usd)::text as "reportedThen_usd", sum(every.now_usd)::text as "reportedNow_usd", bool_or(every.is_coarse) as "isCoarse",
       (select r.player_name from snapshot_recipient r where r.game_id = $1 and r.recipient_player_id = every.recipient_player_id
         order by r.snapshot_id desc limit 1) as name
     from every group by every.period_id, every.recipient_player_id order by every.period_id, every.recipient_player_id`,
    [gameId, window.start],
  );
  const periodIds = periods.map(({ periodId }) => periodId);
  return {
    periods,
    before: await listBeforeRuns(from, basis, periodIds),
    windows: await listWindows(from, basis, periodIds),
    takenByRuns: await sumTaken(from, basis, periodIds),
    adjusted: await sumAdjusted(from, gameId, periodIds),
    unplaced: await listUnplaced(from, gameId),
  };
}

/** Lists what the months of all runs, and of this one, report of periods now, oldest first. */
async function listWindows(
  from: Queryable,
  { gameId, window, snapshotId, runId }: RunBasis,
  periodIds: readonly number[],
): Promise<ReportedReversal[][]> {
  const { rows } = await from.query<ReportedReversal & { start: string }>(
    `with month as (
       select run.window_start, coalesce(w.snapshot_id, run.snapshot_id) as snapshot_id
       from payout_run run left join current_window w
         on w.game_id = run.game_id and w.window_start = run.window_start and w.window_end = run.window_end and w.status = 'complete'
       where run.game_id = $1 and run.state <> 'void' and run.run_id is distinct from $3
       union all select $4::timestamptz, $5::bigint)
     select r.window_start as start, ${REPORTED} from (
       select month.window_start, ${REVERSAL_OF_PERIOD}
       from month join snapshot_slice s on s.game_id = $1 and s.snapshot_id = month.snapshot_id
         join reversal_line line on line.game_id = $1 and line.slice_id = s.slice_id
       where line.period_id = any($2::bigint[]) group by month.window_start, line.period_id) r
     order by r.window_start, r.period_id`,
    [gameId, periodIds, runId, window.start, snapshotId],
  );
  return [...Map.groupBy(rows, ({ start }) => start).values()].map((of) => of.map(({ start: _, ...reversal }) => reversal));
}

async function sumTaken(from: Queryable, { gameId }: RunBasis, periodIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await from.query<{ periodId: number; taken_usd: string }>(
    `select r.period_id as "periodId", sum(r.taken_usd)::text as taken_usd from payout_reversal r join payout_run run using (game_id, run_id)
     where r.game_id = $1 and r.period_id = any($2::bigint[]) and run.state <> 'void' group by r.period_id`,
    [gameId, periodIds],
  );
  return new Map(rows.map(({ periodId, taken_usd }) => [periodId, taken_usd]));
}

async function sumAdjusted(from: Queryable, gameId: number, periodIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await from.query<{ periodId: number; adjusted_usd: string }>(
    `select a.corrects_period_id as "periodId", sum(a.amount_usd)::text as adjusted_usd from ${DRIFT_ADJUSTMENTS}
     and a.game_id = $1 and a.corrects_period_id = any($2::bigint[]) group by a.corrects_period_id`,
    [gameId, periodIds],
  );
  return new Map(rows.map(({ periodId, adjusted_usd }) => [periodId, adjusted_usd]));
}

async function listUnplaced(from: Queryable, gameId: number): Promise<{ recipientId: number; runNo: number | null; amount_usd: string }[]> {
  const { rows } = await from.query<{ recipientId: number; runNo: number | null; amount_usd: string }>(
    `select a.recipient_player_id as "recipientId", corrects.run_no as "runNo", a.amount_usd::text from ${DRIFT_ADJUSTMENTS}
     and a.game_id = $1 and a.corrects_period_id is null order by a.adjustment_id`,
    [gameId],
  );
  return rows;
}
