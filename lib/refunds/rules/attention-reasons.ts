/** Why two people are needed; the SQL check of `refund.attention_reason` repeats the list. */
export const ATTENTION_REASONS = [
  'invo_asks_for_a_person',
  'receipt_contradicts',
  'receipt_of_another',
  'content_altered',
  'cannot_be_read',
  'looks_landed',
  'looks_not_landed',
  'period_unclear',
  'reported_after_all',
] as const;
export type AttentionReason = (typeof ATTENTION_REASONS)[number];
