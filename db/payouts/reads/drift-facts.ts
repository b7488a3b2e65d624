import type { ChangedPeriod, DriftFacts } from '#lib/payouts/rules/decide-drift.ts';
import type { ReportedReversal } from '#lib/payouts/rules/decide-reversal.ts';
import { DRIFT_ADJUSTMENTS, listBeforeRuns, REPORTED, REVERSAL_OF_PERIOD } from './deductions.ts';
import { DRIFTED_RUNS, type Queryable, type RunBasis } from './run-facts.ts';

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
