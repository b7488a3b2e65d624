import { countNoun, formatDay, formatPlayer, formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { actionStateText } from '#lib/actions/state-text.ts';
import { KIND_TEXT } from '#lib/actions/text.ts';
import { formatMoney, formatUsd } from '#lib/core/money.ts';
import { BOOK_LABELS, orderStatusText } from '#lib/orders/text.ts';
import { ITEM_STATE_TEXT, LISTED_TEXT } from '#lib/payments/text.ts';
import { refundStatusText } from '#lib/refunds/text.ts';
import type { Hit } from '#lib/search/reads.ts';
import { subscriptionStatusText } from '#lib/subscriptions/text.ts';
import { transferStateText } from '#lib/transfers/text.ts';
import { DELIVERY_STATE_TEXT } from '#lib/webhooks/text.ts';
import type { SearchMatch } from './search-reply.ts';

// Nothing else is known about it.
const FROM_WEBHOOK = 'from a webhook';

/** A match as the search box lists it: where it leads, its title, and what distinguishes it from others. */
export function matchOf(slug: string, hit: Hit, canReadDesk: boolean): SearchMatch {
  switch (hit.kind) {
    case 'player':
      return {
        href: `/${slug}/${canReadDesk ? 'players' : 'recipients'}/${hit.playerId}`,
        title: formatPlayer(hit.name, hit.playerId),
        note: joined(`player ${hit.playerId}`, hit.email && showControls(hit.email), hit.isRecipient ? 'also a recipient' : null),
      };
    case 'subscription':
      return {
        href: `/${slug}/subscriptions/${encodeURIComponent(hit.subscriptionId)}`,
        title: hit.itemName === null ? 'Subscription' : showControls(hit.itemName),
        note: joined(`subscription ${hit.subscriptionId}`, hit.status === null ? null : subscriptionStatusText(hit.status).label),
      };
    case 'period':
      return {
        href: `/${slug}/periods/${hit.periodId}`,
        title: hit.itemName === null ? `Period ${hit.periodId}` : showControls(hit.itemName),
        note: joined(
          `period ${hit.periodId}`,
          hit.periodStart && hit.periodEnd && `${formatDay(hit.periodStart)} to ${formatDay(hit.periodEnd)}`,
          hit.amount_usd && formatUsd(hit.amount_usd),
          hit.by === 'period' ? null : `by ${hit.by} ID`,
        ),
      };
    case 'order':
      return {
        href: `/${slug}/orders/${encodeURIComponent(hit.orderId)}`,
        title: `Order ${showControls(hit.orderId)}`,
        note: orderNote(hit),
      };
    case 'transfer':
      return {
        href: `/${slug}/transfers/${encodeURIComponent(hit.transactionId)}`,
        title: `Transfer ${showControls(hit.transactionId)}`,
        note: transferNote(hit),
      };
    case 'delivery':
      return {
        href: `/${slug}/webhooks/${hit.deliveryId}`,
        title: `Webhook ${showControls(hit.eventType ?? 'without a type')}`,
        note: joined(`received ${formatUtc(hit.receivedAt)}`, DELIVERY_STATE_TEXT[hit.state].label),
      };
    case 'payment':
      return {
        href: `/${slug}/payouts/${hit.runNo}/payments/${hit.reference}`,
        title: `Payment ${hit.reference}, ${formatUsd(hit.amount_usd)}`,
        note: joined(`run ${hit.runNo}`, `player ${hit.recipientId}`, ITEM_STATE_TEXT[hit.state]),
      };
    case 'payment_file':
      return {
        href: `/${slug}/payouts/${hit.runNo}/payments#file-${hit.batchNo}`,
        title: `Payment file ${hit.batchNo}, ${formatMoney(hit.total)} ${hit.currency}`,
        note: joined(`run ${hit.runNo}`, countNoun(hit.itemCount, 'payment')),
      };
    case 'report_row':
      return {
        href: `/${slug}/payouts/reports/${hit.reportNo}?after=${hit.rowNo - 1}`,
        title: `Bank report ${hit.reportNo}, row ${hit.rowNo}`,
        note: LISTED_TEXT[hit.problem],
      };
    case 'desk_action':
      return {
        href: `/${slug}/actions/${hit.actionId}`,
        title: `${KIND_TEXT[hit.actionKind].label} ${hit.actionId}`,
        note: joined(
          'desk action',
          hit.playerId === null ? null : `player ${hit.playerId}`,
          actionStateText(hit.actionKind, hit.state).label,
        ),
      };
    case 'refund':
      return {
        href: `/${slug}/refunds/${hit.refundId}`,
        title: `Refund ${hit.refundId}, ${formatUsd(hit.amount_usd)}`,
        note: joined(`period ${hit.periodId}`, refundStatusText(hit).label),
      };
  }
}

function joined(...parts: (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join(' · ');
}

function orderNote({ book, status }: Pick<Extract<Hit, { kind: 'order' }>, 'book' | 'status'>): string {
  return book === null ? FROM_WEBHOOK : `${BOOK_LABELS[book].toLowerCase()} · ${showControls(orderStatusText(status, book).label)}`;
}

function transferNote({ isRead, state }: Pick<Extract<Hit, { kind: 'transfer' }>, 'isRead' | 'state'>): string {
  return isRead ? showControls(transferStateText(state, null).label) : FROM_WEBHOOK;
}
