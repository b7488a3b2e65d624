import type { AmountError } from '#lib/refunds/rules/limits.ts';

/** What is wrong with an amount, for whoever typed it. */
export const AMOUNT_SENTENCES: Record<AmountError, string> = {
  not_an_amount: 'Write an amount in USD such as 4.50.',
  separators: 'Write it without separators of thousands, such as 1234.50.',
  not_above_zero: 'The amount has to be above zero.',
  more_than_left: 'That is more than is left of this period.',
  not_whole_cents: 'Whole cents only, unless it is all that is left.',
};
