import type { AskInvo } from '../ask.ts';
import { queryText } from '../ask.ts';
import { askedEmail, subscriptionSegment } from '../path-segment.ts';
import { readerOf } from '../reader.ts';
import type { Mismatch } from '../reports/echo.ts';
import type { Exchange } from '../transport/exchange.ts';
import {
  type PlayerBalances,
  type PlayerCards,
  type PlayerSubscriptions,
  playerBalances,
  playerCards,
  playerSubscriptions,
} from './player-shapes.ts';
import { type Subscription, type SubscriptionRead, subscriptionRead } from './subscription-object.ts';

/** `status` holds statuses of subscriptions, or `live`, which Invo reads as its four live ones. */
interface PlayerSubscriptionsQuery {
  playerEmail: string;
  status?: string[];
  limit?: number;
  offset?: number;
}

/** Support's four reads. E-mails go to Invo, and nowhere else: what people may read of a request has a dot in their place. */
export interface SupportReads {
  /** One subscription with its player. Throws InvoError not_found for one that is not in this game and environment. */
  subscription(subscriptionId: string, signal?: AbortSignal): Promise<Exchange<SubscriptionRead>>;
  /** A player's subscriptions; empty for a player Invo does not know (document 2, trap S1). */
  playerSubscriptions(query: PlayerSubscriptionsQuery, signal?: AbortSignal): Promise<Exchange<PlayerSubscriptions>>;
  /** A player's wallet. Throws InvoError not_found for a player never seen. */
  playerBalances(playerEmail: string, signal?: AbortSignal): Promise<Exchange<PlayerBalances>>;
  /** A player's saved cards; empty for a player Invo does not know. */
  playerCards(playerEmail: string, signal?: AbortSignal): Promise<Exchange<PlayerCards>>;
}

const HIDDEN = '•';

/** Opens support's reads of one game, pinned to its `gameId` where that is known. */
export function openSupportReads(ask: AskInvo, gameId: string | null): SupportReads {
  return {
    subscription: (subscriptionId, signal) => {
      const path = `/api/subscriptions/${subscriptionSegment(subscriptionId)}`;
      const read = readerOf(subscriptionRead, (value) => findStranger(subscriptionId, gameId, value));
      return ask({ route: { kind: 'other', subscriptionId }, path, query: { include_player: 'true' }, read, signal });
    },
    playerSubscriptions: ({ playerEmail, status, limit, offset }, signal) => {
      const email = askedEmail(playerEmail);
      const [path, rest] = ['/api/subscriptions/player', { status: status?.join(','), limit, offset }];
      const read = readerOf(playerSubscriptions, (value) => findOtherList(email, offset ?? 0, gameId, value));
      const shown = `${path}?player_email=${HIDDEN}${queryText(rest).replace('?', '&')}`;
      return ask({ route: { kind: 'other' }, path, query: { player_email: email, ...rest }, shown, read, signal });
    },
    playerBalances: (playerEmail, signal) => {
      const email = askedEmail(playerEmail);
      const path = '/api/player-balances/player/by-email/';
      const read = readerOf(playerBalances, ({ player }) => findOtherPlayer('player.player_email', email, player.player_email));
      const [sent, shown] = [`${path}${encodeURIComponent(email)}`, `${path}${HIDDEN}`];
      return ask({ route: { kind: 'balance' }, path: sent, query: {}, shown, read, signal });
    },
    playerCards: (playerEmail, signal) => {
      const email = askedEmail(playerEmail);
      const path = '/api/currency-purchases/player-cards';
      const read = readerOf(playerCards, () => null);
      return ask({ route: { kind: 'other' }, path, query: { player_email: email }, shown: `${path}?player_email=${HIDDEN}`, read, signal });
    },
  };
}

function findStranger(subscriptionId: string, gameId: string | null, { subscription, player }: SubscriptionRead): Mismatch | null {
  if (subscription.subscription_id !== subscriptionId) return otherThanAsked('subscription.subscription_id');
  if (player !== null && player.player_id !== subscription.player_id) return { path: 'player.player_id', reason: 'not who holds it' };
  return findOtherGame('subscription', gameId, subscription);
}

function findOtherList(email: string, offset: number, gameId: string | null, page: PlayerSubscriptions): Mismatch | null {
  if (page.pagination.offset !== offset) return otherThanAsked('pagination.offset');
  for (const [at, subscription] of page.subscriptions.entries()) {
    const other = findOtherGame(`subscriptions.${at}`, gameId, subscription);
    if (other !== null) return other;
  }
  return findOtherPlayer('player_email', email, page.player_email);
}

function findOtherGame(path: string, gameId: string | null, { game_id }: Subscription): Mismatch | null {
  const isOther = gameId !== null && game_id !== null && game_id !== gameId;
  return isOther ? { path: `${path}.game_id`, reason: 'another game than the one pinned' } : null;
}

function findOtherPlayer(path: string, asked: string, answered: string | null): Mismatch | null {
  return answered === null || answered.trim().toLowerCase() === asked.toLowerCase() ? null : otherThanAsked(path);
}

function otherThanAsked(path: string): Mismatch {
  return { path, reason: 'not what was asked' };
}
