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
