/** The statuses of a currency purchase order (document 2, States and transitions). An open dispute has none: the order stays completed. */
export const ORDER_STATUSES = [
  'pending_payment',
  'requires_action',
  'completed',
  'failed',
  'cancelled',
  'refunded',
  'disputed_lost',
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The status a text names; null for any other text, which is shown as it came and ends nothing. */
export function parseOrderStatus(text: string | null): OrderStatus | null {
  return ORDER_STATUSES.find((status) => status === text) ?? null;
}

/** The two order books of Invo: an id is asked in the book it came from. */
export const ORDER_BOOKS = ['currency', 'items'] as const;
export type OrderBook = (typeof ORDER_BOOKS)[number];
