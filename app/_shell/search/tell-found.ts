import { showControls } from '#app/_ui/data-table/cells/visible-text.ts';
import { formatDay } from '#app/_ui/figures/format-instant.ts';
import type { Hit } from '#db/search/reads/find-held.ts';
import { formatMoney } from '#lib/core/money.ts';
import { REFUND_STATE_WORDS } from '#lib/refunds/rules/refund-state.ts';
import { subscriptionStatusText } from '#lib/subscriptions/rules/subscription.ts';
import type { FoundThing } from './look-up-words.ts';

/** Tells what was found, so that a subscription, a period and a player of one number are told apart. */
export function tellFound(slug: string, hit: Hit): FoundThing {
  switch (hit.kind) {
    case 'player':
      return {
        href: `/${slug}/players/${hit.playerId}`,
        title: hit.name === null || hit.name.trim() === '' ? `Player ${hit.playerId}` : showControls(hit.name),
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
          hit.amount_usd && `${formatMoney(hit.amount_usd)} USD`,
          hit.by === 'period' ? null : `by its ${hit.by} id`,
        ),
      };
    case 'refund':
      return {
        href: `/${slug}/refunds/${hit.refundId}`,
        title: `Refund ${hit.refundId}, ${formatMoney(hit.amount_usd)} USD`,
        note: joined(`asked for here, of period ${hit.periodId}`, REFUND_STATE_WORDS[hit.state].label),
      };
  }
}

function joined(...parts: (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join(' · ');
}
