import { maxMoney, minMoney, negateMoney, normalizeMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';

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
