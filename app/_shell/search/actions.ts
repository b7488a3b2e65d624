'use server';

import { z } from 'zod';
import { receiveForm } from '#app/_server/open-game-context.ts';
import { formatDay, showControls } from '#app/_ui/figures/format.ts';
import type { Hit } from '#db/search/reads.ts';
import { formatUsd } from '#lib/core/money.ts';
import { may } from '#lib/core/roles.ts';
import { REFUND_STATE_TEXT } from '#lib/refunds/text.ts';
import { search } from '#lib/search/search.ts';
import { subscriptionStatusText } from '#lib/subscriptions/text.ts';
import { orderNote, transferNote } from './record-notes.ts';
import { EMPTY_REPLY, type SearchMatch, type SearchReply } from './search-reply.ts';

const shape = z
  .tuple([z.string().max(40), z.string().max(2_000), z.literal(['local', 'invo'])])
  .transform(([game, text, scope]) => ({ game, text, scope }));

/** Searches one game. The text travels in the body of the request, never in an address. */
export async function searchAction(...input: unknown[]): Promise<SearchReply> {
  const received = await receiveForm(shape, input, 'figures.read');
  if (received.kind === 'refused') return { ...EMPTY_REPLY, sentence: received.sentence, isError: true };
  const { context, actor, given } = received;
  const [canSeeEmails, canReadDesk] = [may(actor.roles, 'emails.read'), may(actor.roles, 'desk.read')];
  const result = await search({ ...context, lookUpBy: actor.id }, given.text, { scope: given.scope, canSeeEmails, canReadDesk });
  const matchesOf = (hits: Hit[]): SearchMatch[] => hits.map((hit) => matchOf(given.game, hit, canReadDesk));
  switch (result.kind) {
    case 'found':
      return { ...EMPTY_REPLY, matches: matchesOf(result.hits), canAskInvo: result.canAskInvo, mayBeMore: result.mayBeMore };
    case 'no_local_match':
      return { ...EMPTY_REPLY, sentence: result.sentence, canAskInvo: result.canAskInvo };
    case 'not_found':
      return { ...EMPTY_REPLY, sentence: result.sentence, isNotFound: true };
    case 'unavailable':
      return {
        ...EMPTY_REPLY,
        matches: matchesOf(result.hits),
        sentence: `${result.error.sentence} ${result.hits.length > 0 ? 'Local matches:' : 'No local match.'}`,
        isError: true,
        errorId: result.error.errorId,
        canAskInvo: true,
      };
    case 'refused':
      return { ...EMPTY_REPLY, sentence: result.sentence, isError: true };
  }
}

function matchOf(slug: string, hit: Hit, canReadDesk: boolean): SearchMatch {
  switch (hit.kind) {
    case 'player':
      return {
        href: `/${slug}/${canReadDesk ? 'players' : 'recipients'}/${hit.playerId}`,
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
    case 'refund':
      return {
        href: `/${slug}/refunds/${hit.refundId}`,
        title: `Refund ${hit.refundId}, ${formatUsd(hit.amount_usd)}`,
        note: joined(`period ${hit.periodId}`, REFUND_STATE_TEXT[hit.state].label),
      };
  }
}

function joined(...parts: (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join(' · ');
}
