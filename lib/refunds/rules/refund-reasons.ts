/** Why a player is given money back: the code is kept and counted, its words go to Invo when nobody writes better ones. */
export const REFUND_REASONS = {
  requested_by_player: 'Requested by the player',
  charged_by_mistake: 'Charged by mistake',
  duplicate_charge: 'Charged twice',
  not_delivered: 'The benefits were not delivered',
  quality: 'The service did not work as promised',
  fraud: 'The card holder did not buy it',
  goodwill: 'Goodwill',
  other: 'Another reason',
} as const;
export type RefundReason = keyof typeof REFUND_REASONS;

/** The code of the reason a row holds. Throws for one that is not on the list. */
export function reasonOf(text: string): RefundReason {
  const reason = parseRefundReason(text);
  if (reason === null) throw new Error(`a reason nobody knows is stored: ${text}`);
  return reason;
}

/** Reads the code of a reason; null when there is none of that name. */
export function parseRefundReason(text: unknown): RefundReason | null {
  return typeof text === 'string' && Object.hasOwn(REFUND_REASONS, text) ? (text as RefundReason) : null;
}
