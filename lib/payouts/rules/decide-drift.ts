import { absoluteMoney, compareMoney, normalizeMoney, signOfMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import { type ReportedReversal, takeInOrder } from './decide-reversal.ts';

/** A period of an approved run whose renewal or reversal is reported otherwise now than when the run paid, or that a confirmed adjustment names. */
export interface ChangedPeriod {
  periodId: number;
  recipientId: number;
  name: string | null;
  /** The run whose month changed, or that was corrected; the newest of several. */
  runNo: number;
  /** USD attributed now, less what was attributed when the runs paid. */
  earnedChange_usd: string;
  /** Reversed as the run paid, and as Invo reports it now, in the month of the run. */
  reportedThen_usd: string;
  reportedNow_usd: string;
  /** One of the two is without receipts: the amount may only have moved to another month. */
  isCoarse: boolean;
}

/** What is known of changed periods. */
export interface DriftFacts {
  periods: readonly ChangedPeriod[];
  /** What windows before the first run stated of them, oldest first. */
  before: readonly (readonly ReportedReversal[])[];
  /** What the months of the runs report of them now, oldest first, up to the month that is judged. */
  windows: readonly (readonly ReportedReversal[])[];
  /** Deducted of each by all runs. */
  takenByRuns: ReadonlyMap<number, string>;
  /** Confirmed adjustments that name the period, summed up. */
  adjusted: ReadonlyMap<number, string>;
  /** Confirmed adjustments of a changed month that name no period; `runNo` null: nor a run. */
  unplaced: readonly { recipientId: number; runNo: number | null; amount_usd: string }[];
}

/** What is left to settle of a period of a closed month. */
export interface DriftedPeriod extends ChangedPeriod {
  /** USD to pay (above zero) or to deduct, beyond what runs and adjustments did; null: a reversal without receipts is deducted in the month it moves to. */
  netChange_usd: string | null;
  /** USD of its reversals that runs and adjustments deducted. */
  deducted_usd: string;
  /** USD that would be deducted, had every run known what Invo reports now. */
  deductible_usd: string;
}

/**
 * Decides what closed months still owe, or are owed, period by period: what should have been paid and deducted by what Invo reports now, less what runs
 * and confirmed adjustments did. Periods that come out even are left out.
 */
export function decideDrift({ periods, before, windows, takenByRuns, adjusted, unplaced }: DriftFacts): DriftedPeriod[] {
  const paidBefore = takeInOrder(before);
  const inTotal = takeInOrder([...before, ...windows]);
  const rest = unplaced.map((adjustment) => ({ ...adjustment }));
  return periods.flatMap((period): DriftedPeriod[] => {
    const { periodId, recipientId, runNo, earnedChange_usd, isCoarse } = period;
    const deductible_usd = subtractMoney(inTotal.get(periodId) ?? '0.00', paidBefore.get(periodId) ?? '0.00');
    const taken_usd = takenByRuns.get(periodId) ?? '0.00';
    const adjusted_usd = adjusted.get(periodId) ?? '0.00';
    const change_usd = subtractMoney(sumMoney([earnedChange_usd, taken_usd]), sumMoney([deductible_usd, adjusted_usd]));
    let netChange_usd = change_usd;
    for (const adjustment of rest) {
      if (adjustment.recipientId !== recipientId || (adjustment.runNo ?? runNo) !== runNo) continue;
      if (signOfMoney(adjustment.amount_usd) !== signOfMoney(netChange_usd)) continue;
      const isEnough = compareMoney(absoluteMoney(adjustment.amount_usd), absoluteMoney(netChange_usd)) >= 0;
      const used_usd = isEnough ? netChange_usd : adjustment.amount_usd;
      adjustment.amount_usd = subtractMoney(adjustment.amount_usd, used_usd);
      netChange_usd = subtractMoney(netChange_usd, used_usd);
    }
    if (signOfMoney(netChange_usd) === 0) return [];
    return [
      {
        ...period,
        reportedThen_usd: normalizeMoney(period.reportedThen_usd),
        reportedNow_usd: normalizeMoney(period.reportedNow_usd),
        netChange_usd: isCoarse ? null : normalizeMoney(netChange_usd),
        deducted_usd: normalizeMoney(subtractMoney(taken_usd, adjusted_usd)),
        deductible_usd: normalizeMoney(deductible_usd),
      },
    ];
  });
}
