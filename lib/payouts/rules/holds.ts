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

/** Lines a page lists to select from, and a hold takes at once. */
export const DUE_LINES_MAX = 500;
