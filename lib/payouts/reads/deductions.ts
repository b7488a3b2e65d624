import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { compareInstants } from '#lib/core/instant.ts';
import type { Window } from '#lib/core/window.ts';
import type {
  ChangedPeriod,
  DeductionHistory,
  DriftAdjustment,
  DriftFacts,
  ReportedReversal,
  ReversalHistory,
} from '../rules/decide-reversal.ts';
import { driftedRuns, type RunBasis } from './run-facts.ts';

/** What reversal lines say of each period of one snapshot, as columns of a statement that groups by period. */
const REVERSAL_OF_PERIOD = sql`line.period_id, min(line.recipient_player_id) as recipient_player_id, max(line.originally_attributed_usd) as attributed_usd,
  sum(line.reversed_attributed_usd) as reported_usd, bool_or(line.reversal_basis <> 'refund_receipts') as is_coarse`;
/** Such a row, as `r`, as it is decided about. */
const REPORTED = sql`r.period_id as "periodId", r.recipient_player_id as "recipientId", r.attributed_usd::text, r.reported_usd::text, r.is_coarse as "isCoarse"`;

/** Reads what a snapshot reports as reversed, and what was deducted of the same periods before. */
export async function findReversalHistory(db: Db, basis: RunBasis): Promise<ReversalHistory> {
  const { rows: reported } = await sql<ReportedReversal>`
    select ${REPORTED} from (
      select ${REVERSAL_OF_PERIOD} from snapshot_slice s join reversal_line line on line.game_id = ${basis.gameId} and line.slice_id = s.slice_id
      where s.game_id = ${basis.gameId} and s.snapshot_id = ${basis.snapshotId} group by line.period_id) r
    order by r.period_id`.execute(db);
  const periodIds = reported.map(({ periodId }) => periodId);
  return { reported, ...(await findDeductionHistory(db, basis, periodIds)) };
}

/** Reads what was deducted of these periods before the window of a run. */
export async function findDeductionHistory(db: Db, basis: RunBasis, periodIds: readonly number[]): Promise<DeductionHistory> {
  if (periodIds.length === 0) return { before: [], takenByRuns: new Map(), adjustments: [] };
  return {
    before: await listBeforeRuns(db, basis, periodIds),
    takenByRuns: await findTaken(db, basis, periodIds),
    adjustments: await listDriftAdjustments(db, basis, periodIds),
  };
}

/**
 * Lists what windows before the first run of the game stated of these periods, oldest first. Of each window and period the largest amount counts that a
 * complete snapshot ever stated: the studio may have deducted it that month, and a reversal that moved since is no longer reported there. Of windows that
 * overlap, the one that begins first and lasts longest.
 */
async function listBeforeRuns(
  db: Db,
  { gameId, window }: Pick<RunBasis, 'gameId' | 'window'>,
  periodIds: readonly number[],
): Promise<ReportedReversal[][]> {
  const { rows } = await sql<ReportedReversal & Window>`
    select w.window_start as start, w.window_end as "end", ${REPORTED} from (
      select distinct on (w.window_start, w.window_end, of_snapshot.period_id) w.window_start, w.window_end, of_snapshot.*
      from (
        select s.snapshot_id, ${REVERSAL_OF_PERIOD} from reversal_line line join snapshot_slice s on s.game_id = ${gameId} and s.slice_id = line.slice_id
        where line.game_id = ${gameId} and line.period_id = any(${periodIds}::bigint[]) group by s.snapshot_id, line.period_id) of_snapshot
        join snapshot w on w.game_id = ${gameId} and w.snapshot_id = of_snapshot.snapshot_id and w.status = 'complete'
      where w.window_end <= least(${window.start}::timestamptz,
        (select min(run.window_start) from payout_run run where run.game_id = ${gameId} and run.state <> 'void'))
      order by w.window_start, w.window_end, of_snapshot.period_id, of_snapshot.reported_usd desc, w.snapshot_id desc
    ) r cross join lateral (select r.window_start, r.window_end) w
    order by w.window_start, w.window_end desc, r.period_id`.execute(db);
  const before: { window: Window; reversals: ReportedReversal[] }[] = [];
  for (const { start, end, ...reversal } of rows) {
    const last = before.at(-1);
    if (last?.window.start === start && last.window.end === end) last.reversals.push(reversal);
    else if (last === undefined || compareInstants(start, last.window.end) >= 0)
      before.push({ window: { start, end }, reversals: [reversal] });
  }
  return before.map(({ reversals }) => reversals);
}

/** The last run of a window before this run's that reported each of these periods. */
const lastTaken = ({ gameId, window, runId }: RunBasis, periodIds: readonly number[]): RawBuilder<unknown> => sql`
  select distinct on (r.period_id) r.period_id, r.taken_before_usd + r.taken_usd as taken_usd, run.window_start
  from payout_reversal r join payout_run run on run.game_id = ${gameId} and run.run_id = r.run_id
  where r.game_id = ${gameId} and r.period_id = any(${periodIds}::bigint[]) and run.state <> 'void' and run.window_start < ${window.start}
    and r.run_id is distinct from ${runId}
  order by r.period_id, run.window_start desc`;

/** What runs of earlier windows deducted of these periods in total, what was deducted before the first run included. */
async function findTaken(db: Db, basis: RunBasis, periodIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ periodId: number; taken_usd: string }>`
    select period_id as "periodId", taken_usd::text from (${lastTaken(basis, periodIds)}) last`.execute(db);
  return new Map(rows.map(({ periodId, taken_usd }) => [periodId, taken_usd]));
}

/**
 * The confirmed adjustments of a changed earlier month as `a`, with what the run they correct (`corrects`) deducted of the period they name (`corrected`) and
 * the run that includes them (`included`); further conditions follow.
 */
export function driftAdjustments(gameId: number): RawBuilder<unknown> {
  return sql`payout_adjustment a
    left join payout_reversal corrected
      on corrected.game_id = ${gameId} and corrected.run_id = a.corrects_run_id and corrected.period_id = a.corrects_period_id
    left join payout_run corrects on corrects.game_id = ${gameId} and corrects.run_id = a.corrects_run_id
    left join payout_run included on included.game_id = ${gameId} and included.run_id = a.run_id
    where a.game_id = ${gameId} and a.kind = 'drift' and a.confirmed_at is not null and a.withdrawn_at is null`;
}

/** Lists the confirmed adjustments that deducted or gave back something of these periods until this run, its own included. */
async function listDriftAdjustments(db: Db, basis: RunBasis, periodIds: readonly number[]): Promise<DriftAdjustment[]> {
  const { gameId, window, runId } = basis;
  const { rows } = await sql<DriftAdjustment>`
    with last as (${lastTaken(basis, periodIds)})
    select a.corrects_period_id as "periodId", a.amount_usd::text, coalesce(a.corrects_run_id, 0) as "correctsRunId",
      coalesce(corrected.taken_usd, 0)::text as "runTaken_usd",
      exists (select from last where last.period_id = a.corrects_period_id and last.window_start >= included.window_start) as "isCounted"
    from ${driftAdjustments(gameId)} and a.corrects_period_id = any(${periodIds}::bigint[])
      and (a.run_id is null or a.run_id = ${runId} or included.window_start < ${window.start})
    order by a.adjustment_id`.execute(db);
  return rows;
}

/**
 * The lines in which the months of approved runs differ from the ones they were paid from. Only slices that one snapshot has and the other hasn't are
 * compared: most of a month is pulled once.
 */
const changed = ({ gameId, window }: RunBasis): RawBuilder<unknown> => sql`
  drifted as materialized (
    select run.run_no, paid.snapshot_id as paid_id, now.snapshot_id as now_id from ${driftedRuns(gameId)} and run.window_start < ${window.start}),
  differing as materialized (
    select d.run_no, s.slice_id, s.snapshot_id = d.now_id as is_now
    from drifted d join snapshot_slice s on s.game_id = ${gameId} and s.snapshot_id in (d.paid_id, d.now_id)
    where not exists (select from snapshot_slice other where other.game_id = ${gameId} and other.slice_id = s.slice_id
      and other.snapshot_id = case when s.snapshot_id = d.now_id then d.paid_id else d.now_id end)),
  earned as (
    select d.run_no, line.period_id, min(line.recipient_player_id) as recipient_player_id,
      sum(case when d.is_now then line.attributed_amount_usd else -line.attributed_amount_usd end) as change_usd
    from differing d join renewal_line line on line.game_id = ${gameId} and line.slice_id = d.slice_id
    group by d.run_no, line.period_id having sum(case when d.is_now then line.attributed_amount_usd else -line.attributed_amount_usd end) <> 0),
  reversed as (
    select d.run_no, line.period_id, min(line.recipient_player_id) as recipient_player_id, bool_or(line.reversal_basis <> 'refund_receipts') as is_coarse,
      coalesce(sum(line.reversed_attributed_usd) filter (where not d.is_now), 0) as then_usd,
      coalesce(sum(line.reversed_attributed_usd) filter (where d.is_now), 0) as now_usd
    from differing d join reversal_line line on line.game_id = ${gameId} and line.slice_id = d.slice_id
    group by d.run_no, line.period_id
    having coalesce(sum(line.reversed_attributed_usd) filter (where not d.is_now), 0) <> coalesce(sum(line.reversed_attributed_usd) filter (where d.is_now), 0)),
  named as (
    select coalesce(corrects.run_no, 0) as run_no, a.corrects_period_id as period_id, a.recipient_player_id
    from ${driftAdjustments(gameId)} and a.corrects_period_id is not null),
  every as (
    select run_no, period_id, recipient_player_id, change_usd, 0 as then_usd, 0 as now_usd, false as is_coarse from earned
    union all select run_no, period_id, recipient_player_id, 0, then_usd, now_usd, is_coarse from reversed
    union all select run_no, period_id, recipient_player_id, 0, 0, 0, false from named)`;

/** Reads what tells how far approved runs and confirmed adjustments are from what Invo reports of their months now. */
export async function findDriftFacts(db: Db, basis: RunBasis): Promise<DriftFacts> {
  const { gameId } = basis;
  const { rows: periods } = await sql<ChangedPeriod>`
    with ${changed(basis)}
    select every.period_id as "periodId", every.recipient_player_id as "recipientId", max(every.run_no) as "runNo", sum(every.change_usd)::text as "earnedChange_usd",
      sum(every.then_usd)::text as "reportedThen_usd", sum(every.now_usd)::text as "reportedNow_usd", bool_or(every.is_coarse) as "isCoarse",
      (select r.player_name from snapshot_recipient r where r.game_id = ${gameId} and r.recipient_player_id = every.recipient_player_id
        order by r.snapshot_id desc limit 1) as name
    from every group by every.period_id, every.recipient_player_id order by every.period_id, every.recipient_player_id`.execute(db);
  const periodIds = periods.map(({ periodId }) => periodId);
  return {
    periods,
    before: await listBeforeRuns(db, basis, periodIds),
    windows: await listWindows(db, basis, periodIds),
    takenByRuns: await sumTaken(db, basis, periodIds),
    adjusted: await sumAdjusted(db, gameId, periodIds),
    unplaced: await listUnplaced(db, gameId),
  };
}

/** Lists what the months of all runs, and of this one, report of periods now, oldest first. */
async function listWindows(
  db: Db,
  { gameId, window, snapshotId, runId }: RunBasis,
  periodIds: readonly number[],
): Promise<ReportedReversal[][]> {
  const { rows } = await sql<ReportedReversal & { start: string }>`
    with month as (
      select run.window_start, coalesce(w.snapshot_id, run.snapshot_id) as snapshot_id
      from payout_run run left join current_window w
        on w.game_id = ${gameId} and w.window_start = run.window_start and w.window_end = run.window_end and w.status = 'complete'
      where run.game_id = ${gameId} and run.state <> 'void' and run.run_id is distinct from ${runId}
      union all select ${window.start}::timestamptz, ${snapshotId}::bigint)
    select r.window_start as start, ${REPORTED} from (
      select month.window_start, ${REVERSAL_OF_PERIOD}
      from month join snapshot_slice s on s.game_id = ${gameId} and s.snapshot_id = month.snapshot_id
        join reversal_line line on line.game_id = ${gameId} and line.slice_id = s.slice_id
      where line.period_id = any(${periodIds}::bigint[]) group by month.window_start, line.period_id) r
    order by r.window_start, r.period_id`.execute(db);
  return [...Map.groupBy(rows, ({ start }) => start).values()].map((group) => group.map(({ start: _, ...reversal }) => reversal));
}

async function sumTaken(db: Db, { gameId }: RunBasis, periodIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ periodId: number; taken_usd: string }>`
    select r.period_id as "periodId", sum(r.taken_usd)::text as taken_usd from payout_reversal r
      join payout_run run on run.game_id = ${gameId} and run.run_id = r.run_id
    where r.game_id = ${gameId} and r.period_id = any(${periodIds}::bigint[]) and run.state <> 'void' group by r.period_id`.execute(db);
  return new Map(rows.map(({ periodId, taken_usd }) => [periodId, taken_usd]));
}

async function sumAdjusted(db: Db, gameId: number, periodIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ periodId: number; adjusted_usd: string }>`
    select a.corrects_period_id as "periodId", sum(a.amount_usd)::text as adjusted_usd from ${driftAdjustments(gameId)}
    and a.corrects_period_id = any(${periodIds}::bigint[]) group by a.corrects_period_id`.execute(db);
  return new Map(rows.map(({ periodId, adjusted_usd }) => [periodId, adjusted_usd]));
}

async function listUnplaced(db: Db, gameId: number): Promise<{ recipientId: number; runNo: number | null; amount_usd: string }[]> {
  const { rows } = await sql<{ recipientId: number; runNo: number | null; amount_usd: string }>`
    select a.recipient_player_id as "recipientId", corrects.run_no as "runNo", a.amount_usd::text from ${driftAdjustments(gameId)}
    and a.corrects_period_id is null order by a.adjustment_id`.execute(db);
  return rows;
}
