import type { Tone } from '#lib/core/strings.ts';
import { type OrderBook, type OrderStatus, parseOrderStatus } from './rules/order.ts';

export interface StatusText {
  label: string;
  tone: Tone;
  /** What it means for the player's money. */
  sentence: string;
}

/** Every status of a currency order (document 2, States and transitions). */
const STATUS_TEXT: Record<OrderStatus, StatusText> = {
  pending_payment: { label: 'Pending payment', tone: 'wait', sentence: 'The card processor hasn’t confirmed the charge yet.' },
  requires_action: {
    label: 'Awaiting bank check',
    tone: 'wait',
    sentence: 'The player’s bank asks for confirmation. Nothing has been charged.',
  },
  completed: { label: 'Completed', tone: 'good', sentence: 'The charge is confirmed and the coins were credited.' },
  failed: { label: 'Failed', tone: 'bad', sentence: 'The payment failed. Nothing was credited.' },
  cancelled: { label: 'Cancelled', tone: 'quiet', sentence: 'It was abandoned, timed out or cancelled. Nothing was credited.' },
  refunded: { label: 'Refunded in full', tone: 'quiet', sentence: 'The whole charge was refunded and the coins were debited.' },
  disputed_lost: { label: 'Dispute lost', tone: 'bad', sentence: 'The chargeback was lost and the coins were taken back.' },
};

/**
 * The text of an order's status. The documents name statuses of currency orders only; any other, and every status of an item order, is shown as
 * Invo wrote it, and nothing follows from it.
 */
export function orderStatusText(status: string | null, book: OrderBook = 'currency'): StatusText {
  if (status === null) return { label: 'Not reported', tone: 'quiet', sentence: 'Invo’s answer has no status.' };
  if (book === 'items')
    return { label: status, tone: 'quiet', sentence: 'Invo’s documentation doesn’t describe the statuses of item orders.' };
  const known = parseOrderStatus(status);
  if (known !== null) return STATUS_TEXT[known];
  return { label: status, tone: 'quiet', sentence: 'Invo reports a status its documentation doesn’t name.' };
}

/** What each of Invo's order systems contains. */
export const BOOK_LABELS: Record<OrderBook, string> = { currency: 'Currency purchase', items: 'Item purchase' };

/** Where an order can be refunded: Invo has no route for it. */
export const NO_REFUND = 'This order can’t be refunded from here: Invo refunds currency purchases in its console only.';

/** Shown beside an order whose webhooks about refunds or disputes are stored without their bodies. */
export const OLD_WEBHOOKS = 'Older webhooks are no longer stored, so disputes and partial refunds may be missing.';

/** What an empty list of a player's orders means: none is stored, not that there is none. */
export const NO_ORDERS_KNOWN = 'None known yet. This player may have orders at Invo that Sharebook hasn’t read.';

/** Why the list of a player's orders may be incomplete. */
export const ORDERS_KNOWN = 'Invo doesn’t list a player’s orders. This list has orders from Sharebook’s reads, webhooks and renewals.';

/** Labels for the amounts of an order, under Invo's names; another name is its own label. */
const AMOUNT_LABELS: Readonly<Record<string, string>> = {
  usd_amount: 'Amount, USD',
  amount_usd: 'Amount, USD',
  currency_amount: 'Coins',
  amount_coins: 'Coins',
  new_balance: 'Balance afterwards',
  usd_refunded: 'Refunded, USD',
  unit_price: 'Unit price, coins',
  total_price: 'Total price, coins',
};

/** The label of an amount by Invo's name. */
export function amountLabel(field: string): string {
  return AMOUNT_LABELS[field] ?? field;
}

const DATE_LABELS: Readonly<Record<string, string>> = {
  created_at: 'Created',
  updated_at: 'Updated by Invo',
  completed_at: 'Completed',
  paid_at: 'Paid',
  refunded_at: 'Refunded',
  failed_at: 'Failed',
  expires_at: 'Expires',
};

/** The label of a date by Invo's name. */
export function dateLabel(field: string): string {
  return DATE_LABELS[field] ?? field;
}

const ITEM_LABELS: Readonly<Record<string, string>> = {
  order_id: 'Order',
  item_name: 'Item',
  item_quantity: 'Quantity',
  order_status: 'Status',
  transaction_id: 'Transaction ID',
};

/** The head of a field of an item purchase by Invo's name; another name is its own head. */
export function itemLabel(field: string): string {
  return ITEM_LABELS[field] ?? AMOUNT_LABELS[field] ?? dateLabel(field);
}
