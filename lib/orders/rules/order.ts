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

/** The two order books of Invo: an id is looked up in the one it came from. */
export const ORDER_BOOKS = ['currency', 'items'] as const;
export type OrderBook = (typeof ORDER_BOOKS)[number];

const WHOLE_AMOUNTS = ['usd_amount', 'amount_usd', 'total_price', 'currency_amount', 'amount_coins'];

/** The amount a list shows for an order: what was paid for all of it, in dollars before coins; null: none of its amounts is that. */
export function amountOfOrder<Amount extends { field: string }>(amounts: readonly Amount[]): Amount | null {
  return WHOLE_AMOUNTS.flatMap((name) => amounts.filter(({ field }) => field === name))[0] ?? null;
}

/** A webhook about an order, as far as its state counts: Invo's type, and its data by Invo's names. */
export interface OrderEvent {
  eventType: string | null;
  /** A conflict or a stale delivery is shown, and its facts are not used. */
  isUsable: boolean;
  /** null: its body was removed or can't be read. */
  facts: Readonly<Record<string, unknown>> | null;
}

/** What webhooks say of an order beside its status: it stays completed while partly refunded and while a dispute is open (document 2). */
export interface OrderRemarks {
  /** Never beside a status that says all of it was refunded: that ends a partial refund, whether or not its webhook came. */
  isPartlyRefunded: boolean;
  disputes: { disputeId: string | null; state: 'open' | 'won' | 'lost' | 'closed' }[];
  hasFraudWarning: boolean;
  /** Events about refunds and disputes whose facts can't be read any more: without them the other remarks may be incomplete. */
  unreadableCount: number;
}

// What the facts of these say is remarked on; an event without a type may be one of them.
const REMARKED = new Set(['purchase.refunded', 'purchase.disputed']);

/**
 * Summarizes the events of an order, in any order and with any repeats. Refunded amounts are never added: whether they are cumulative is not
 * documented. A dispute that was opened and closed is one, joined by its id. An event without facts sets no remark: its content may have been
 * ended by another.
 */
export function summarizeOrderEvents(events: readonly OrderEvent[], status: string | null): OrderRemarks {
  const usable = events.filter(({ isUsable }) => isUsable);
  const factsOf = (wanted: string): Readonly<Record<string, unknown>>[] =>
    usable.flatMap(({ eventType, facts }) => (eventType === wanted && facts !== null ? [facts] : []));
  const refunds = factsOf('purchase.refunded').map((facts) => facts['fully_refunded']);
  const disputes = Map.groupBy(factsOf('purchase.disputed'), (facts) => textOf(facts['dispute_id']));
  return {
    isPartlyRefunded: refunds.includes(false) && !refunds.includes(true) && parseOrderStatus(status) !== 'refunded',
    disputes: [...disputes].map(([disputeId, reports]) => ({ disputeId, state: stateOf(reports.map((facts) => facts['dispute_status'])) })),
    hasFraudWarning: usable.some(({ eventType }) => eventType === 'purchase.fraud_warning'),
    unreadableCount: usable.filter(({ eventType, facts }) => facts === null && (eventType === null || REMARKED.has(eventType))).length,
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
