import type { Outcome } from './rules/decide-line.ts';

/** The outcome of a line as a chip or a column shows it. */
export const OUTCOME_TEXT: Readonly<Record<Outcome, string>> = {
  payable: 'Payable',
  negative_balance: 'Negative balance',
  nothing_due: 'Nothing due',
  unresolved: 'Unresolved',
  excluded: 'Excluded',
  on_hold: 'On hold',
  below_minimum: 'Below minimum',
};

/** The note of a hold that a draft places. */
export const HOLD_NOTES: Readonly<Record<'base_mismatch' | 'open_refund', string>> = {
  base_mismatch: 'The base of this period differs from the settled fee.',
  open_refund: 'A refund of this period is open, or Invo hasn’t reported its reversal yet.',
};
