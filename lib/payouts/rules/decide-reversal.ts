import { maxMoney, minMoney, normalizeMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';

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

/** A reported reversal with what a run deducts of it and what was deducted already. */
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

/** What is reported as reversed in one window, and what is known of the same periods from before. */
export interface ReversalHistory {
  reported: readonly ReportedReversal[];
  /** What windows before the first run reported, oldest first. */
  before: readonly (readonly ReportedReversal[])[];
  /** What earlier runs deducted in total, by period; it includes what was deducted before the first run. */
  takenByRuns: ReadonlyMap<number, string>;
}

/** Decides the reversals of a window after everything that was deducted before it. Their order is kept. */
export function decideReversals({ reported, before, takenByRuns }: ReversalHistory): DecidedReversal[] {
  const taken = new Map<number, string>();
  for (const reversals of before) {
    const decided = reversals.map((reversal) => decideReversal(reversal, taken.get(reversal.periodId) ?? '0.00'));
    for (const { periodId, takenBefore_usd, taken_usd } of decided) taken.set(periodId, sumMoney([takenBefore_usd, taken_usd]));
  }
  return reported.map((reversal) => decideReversal(reversal, takenByRuns.get(reversal.periodId) ?? taken.get(reversal.periodId) ?? '0.00'));
}
