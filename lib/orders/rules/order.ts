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

/** A webhook about an order, as far as its state counts: Invo's type, and its data by Invo's names. */
export interface OrderEvent {
  eventType: string | null;
  /** A conflict or a stale delivery is shown, and its facts are not used. */
  isUsable: boolean;
  facts: Readonly<Record<string, unknown>> | null;
}

/** What webhooks say of an order beside its status: it stays completed while partly refunded and while a dispute is open (document 2). */
export interface OrderRemarks {
  isPartlyRefunded: boolean;
  disputes: { disputeId: string | null; state: 'open' | 'won' | 'lost' | 'closed' }[];
  hasFraudWarning: boolean;
}

/**
 * Summarizes the events of an order, in any order and with any repeats. Refunded amounts are never added: whether they are cumulative is not
 * documented. A dispute that was opened and closed is one, joined by its id.
 */
export function summarizeOrderEvents(events: readonly OrderEvent[]): OrderRemarks {
  const used = events.filter(({ isUsable }) => isUsable);
  const refunds = used.filter(({ eventType }) => eventType === 'purchase.refunded').map(({ facts }) => facts?.['fully_refunded']);
  const disputes = Map.groupBy(
    used.filter(({ eventType }) => eventType === 'purchase.disputed'),
    ({ facts }) => textOf(facts?.['dispute_id']),
  );
  return {
    isPartlyRefunded: refunds.includes(false) && !refunds.includes(true),
    disputes: [...disputes].map(([disputeId, heard]) => ({
      disputeId,
      state: stateOf(heard.map(({ facts }) => facts?.['dispute_status'])),
    })),
    hasFraudWarning: used.some(({ eventType }) => eventType === 'purchase.fraud_warning'),
  };
}

function stateOf(statuses: unknown[]): OrderRemarks['disputes'][number]['state'] {
  const closing = statuses.map(textOf).filter((status) => status !== null);
  if (closing.includes('lost')) return 'lost';
  if (closing.includes('won')) return 'won';
  return closing.length === 0 ? 'open' : 'closed';
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
