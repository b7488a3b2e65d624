import type { AfterFeesGap } from './rules/detail-figures.ts';

/** Why partner revenue after fees isn’t stated, in a sentence each. */
export const AFTER_FEES_GAP_TEXT: Record<AfterFeesGap, string> = {
  card_periods_not_read: 'Not every card period of the month is read.',
  refunded_periods_not_read: 'Not every refunded period is read.',
  refunds_not_listed: 'Refunds of renewals without attribution are counted by Invo, and no report lists them.',
  fees_not_recorded: 'Invo has no record of some fees, such as card fees on refunds before 28 September 2026.',
  card_fee_not_dated: 'Some periods were refunded in several months, and Invo reports one card fee for all of them.',
  reversals_without_receipts: 'Invo reports refunds without receipts, and no partner revenue reversed for them.',
};
