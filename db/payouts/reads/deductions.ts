import { compareInstants } from '#lib/core/instant.ts';
import type { Window } from '#lib/core/window.ts';
import type { DeductionHistory, DriftAdjustment, ReportedReversal, ReversalHistory } from '#lib/payouts/rules/decide-reversal.ts';
import type { Queryable, RunBasis } from './run-facts.ts';

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
 * complete snapshot ever stated: the studio may have deducted it that month, and a reversal that moved since is no longer reported there. Of windows that
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
