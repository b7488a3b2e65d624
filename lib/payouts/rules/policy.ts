/** What a game has decided about its payouts. Amounts in USD. */
export interface PayoutPolicy {
  /** Less than this waits and adds up. */
  minimum_usd: string;
  /** A run that pays this much or more needs two approvers; null: never. */
  secondApprovalFrom_usd: string | null;
  /** How long an equal re-check counts, in hours. */
  recheckHours: number;
  /** A recipient whose net changed by more percent than this is listed before submission. */
  changePercent: number;
  /** A first payment of this much or more needs a note. */
  firstPaymentFrom_usd: string;
  /** Whether periods whose base differs from the settled fee are held until a person has looked. */
  holdsBaseMismatch: boolean;
}

/** The policy of a game that has set none. */
export const DEFAULT_POLICY: PayoutPolicy = {
  minimum_usd: '10.00',
  secondApprovalFrom_usd: null,
  recheckHours: 24,
  changePercent: 50,
  firstPaymentFrom_usd: '100.00',
  holdsBaseMismatch: true,
};

/** Why a person holds a payment. */
export const HOLD_REASONS = [
  'dispute',
  'fraud_warning',
  'identity',
  'legal',
  'asked_by_recipient',
  'base_mismatch',
  'open_refund',
  'other',
] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

/** Kinds of adjustments a person proposes. `transfer` has two halves that cancel; `brought_forward` belongs to the first run. */
export const ADJUSTMENT_KINDS = ['correction', 'drift', 'goodwill', 'write_off', 'transfer', 'paid_elsewhere', 'brought_forward'] as const;
export type AdjustmentKind = (typeof ADJUSTMENT_KINDS)[number];

/** An adjustment a person proposes. */
export interface NewAdjustment {
  recipientId: number;
  /** USD; below zero: deducted. */
  amount_usd: string;
  kind: string;
  reason: string;
  correctsRunId: number | null;
  correctsPeriodId: number | null;
  /** Shared by the two halves of a transfer; null: none. */
  pairId: number | null;
}

/** Lines a page lists to select from, and a hold takes at once. */
export const DUE_LINES_MAX = 500;

/** The possible results of the search for renewals without attribution. */
export const CONCLUSIONS = ['nothing_owed', 'owed_and_adjusted', 'raised_with_invo', 'not_findable'] as const;
export type Conclusion = (typeof CONCLUSIONS)[number];

/** How long after the settle lag a re-check counts: until then Invo may still settle late. */
const RECHECK_WAIT_MINUTES = 30;

/** Minutes after the end of a month from which its re-checks count. */
export function recheckMinutes({ settleLag_minutes, isSimulated }: { settleLag_minutes: number; isSimulated?: boolean }): number {
  return settleLag_minutes + (isSimulated === true ? 0 : RECHECK_WAIT_MINUTES);
}

/** The rate at which payments in EUR are converted, as a person typed it. */
export interface EurRate {
  /** USD for one EUR. */
  usd_per_eur: string;
  source: string;
}
