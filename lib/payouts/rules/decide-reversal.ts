import {
  absoluteMoney,
  compareMoney,
  maxMoney,
  minMoney,
  negateMoney,
  normalizeMoney,
  signOfMoney,
  subtractMoney,
  sumMoney,
} from '#lib/core/money.ts';

/** What Invo reports in one window as reversed of one period. Amounts in USD, exact text. */
export interface ReportedReversal {
  periodId: number;
  recipientId: number;
  /** Recorded for the recipient when the period settled. */
  attributed_usd: string;
  reported_usd: string;
  /** Without receipts: the row is the reversal of the period so far, reported whole in the window of its latest refund. */
  isCoarse: boolean;
}

/** A reported reversal with the amount that a run deducts and the amount already deducted. */
export interface DecidedReversal extends ReportedReversal {
  takenBefore_usd: string;
  taken_usd: string;
  /** reported − taken: "already deducted". */
  pinned_usd: string;
}

/**
 * Decides how much of a reported reversal to deduct, given what earlier windows deducted of the same period. Never more than was attributed:
 * exact reversals are this window's alone, a coarse one contains those before it.
 */
export function decideReversal(reversal: ReportedReversal, takenBefore_usd: string): DecidedReversal {
  const { attributed_usd, reported_usd, isCoarse } = reversal;
  const left = maxMoney('0', subtractMoney(attributed_usd, takenBefore_usd));
  const wanted = isCoarse ? subtractMoney(reported_usd, takenBefore_usd) : reported_usd;
  const taken_usd = normalizeMoney(minMoney(maxMoney('0', wanted), left));
  return {
    ...reversal,
    takenBefore_usd: normalizeMoney(takenBefore_usd),
    taken_usd,
    pinned_usd: normalizeMoney(subtractMoney(reported_usd, taken_usd)),
  };
}

/** What a confirmed adjustment deducted or gave back of a period because an earlier month changed. */
export interface DriftAdjustment {
  periodId: number;
  /** USD, below zero: deducted from the recipient. */
  amount_usd: string;
  correctsRunId: number;
  /** What the run it corrects deducted of the period. */
  runTaken_usd: string;
  /** The last run that reported the period counts it already. */
  isCounted: boolean;
}

/** What was deducted of periods before one window. */
export interface DeductionHistory {
  /** What windows before the first run stated, oldest first. */
  before: readonly (readonly ReportedReversal[])[];
  /** By period: what the last run that reported it had deducted in total, including adjustments and amounts from before the first run. */
  takenByRuns: ReadonlyMap<number, string>;
  /** All adjustments of the periods until this window's run, in the order in which they were proposed. */
  adjustments: readonly DriftAdjustment[];
}

/** What is reported as reversed in one window, and what is known of the same periods from before. */
export interface ReversalHistory extends DeductionHistory {
  reported: readonly ReportedReversal[];
}

/** Decides the reversals of a window after everything that was deducted before it. Preserves their order. */
export function decideReversals({ reported, ...history }: ReversalHistory): DecidedReversal[] {
  const takenBefore = deductionsBefore(history);
  return reported.map((reversal) => decideReversal(reversal, takenBefore(reversal.periodId)));
}

/** Returns what was deducted of a period before the window: by runs and, before the first of them, by whatever paid until then; adjustments included. */
export function deductionsBefore({ before, takenByRuns, adjustments }: DeductionHistory): (periodId: number) => string {
  const earlier = takeInOrder(before);
  const adjusted = Map.groupBy(adjustments, ({ periodId }) => periodId);
  return (periodId) => adjustTaken(takenByRuns.get(periodId) ?? earlier.get(periodId) ?? '0.00', adjusted.get(periodId) ?? []);
}

/** What windows deduct of each period in total when they are decided one after the other, oldest first. */
export function takeInOrder(windows: readonly (readonly ReportedReversal[])[]): Map<number, string> {
  const taken = new Map<number, string>();
  for (const reversals of windows) {
    const decided = reversals.map((reversal) => decideReversal(reversal, taken.get(reversal.periodId) ?? '0.00'));
    for (const { periodId, takenBefore_usd, taken_usd } of decided) taken.set(periodId, sumMoney([takenBefore_usd, taken_usd]));
  }
  return taken;
}

/**
 * What counts as deducted of a period after adjustments: one below zero deducts, one above zero gives back at most what the run it corrects and its earlier
 * adjustments had deducted. The rest of that one pays for the renewal, which is no refund.
 */
export function adjustTaken(taken_usd: string, adjustments: readonly Omit<DriftAdjustment, 'periodId'>[]): string {
  let taken = taken_usd;
  const deductedFor = new Map<number, string>();
  for (const { amount_usd, correctsRunId, runTaken_usd, isCounted } of adjustments) {
    const deducted_usd = deductedFor.get(correctsRunId) ?? runTaken_usd;
    const change_usd = maxMoney(negateMoney(amount_usd), negateMoney(deducted_usd));
    deductedFor.set(correctsRunId, sumMoney([deducted_usd, change_usd]));
    if (!isCounted) taken = sumMoney([taken, change_usd]);
  }
  return normalizeMoney(maxMoney('0.00', taken));
}

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
