/** What a payout policy decides, by field. */
export const POLICY_TEXT = {
  minimum: 'Minimum payout',
  secondApprovalFrom: 'Second approver from',
  firstPaymentFrom: 'First payments need a note from',
  changePercent: 'Changes need a note above',
  recheckHours: 'A re-check counts for',
  holdsBaseMismatch: 'Hold base mismatches',
} as const;

/** What to enter, by field. */
export const POLICY_HINTS = {
  minimum: 'USD. Less is carried forward.',
  secondApprovalFrom: 'USD payable of a run. Leave empty for never.',
  firstPaymentFrom: 'USD. Of recipients that no earlier run paid.',
  changePercent: 'Percent of the month before, for each recipient.',
  recheckHours: 'Hours. After that, a month is compared with Invo again before it is submitted.',
  holdsBaseMismatch: 'Periods whose base differs from the settled fee are held until they are released.',
} as const;

/** What is wrong with an entry of a payout policy, by field. */
export const POLICY_ERRORS = {
  minimum: 'Enter an amount above zero in whole cents, such as 10.00.',
  secondApprovalFrom: 'Enter an amount above zero in whole cents, or leave it empty.',
  firstPaymentFrom: 'Enter an amount above zero in whole cents, such as 100.00.',
  recheckHours: 'Enter 1 to 720 hours.',
  changePercent: 'Enter 1 to 10,000 percent.',
} as const;

/** Why a proposed policy isn’t stored: one at a time waits. */
export const ANOTHER_WAITS = 'Another policy waits for a second person. Nothing was saved. Reload the page.';
