import { isAbsent } from '../invo/invo-error.ts';
import {
  type PlayerBalances,
  type PlayerCards,
  type PlayerSubscriptions,
  playerBalances,
  playerCards,
  playerSubscriptions,
  readBalancesOfPlayer,
  readCardsOfPlayer,
  readSubscriptionsOfPlayer,
} from '../invo/routes/support-reads.ts';
import type { DetailRoute } from '../subscriptions/read-detail.ts';
import { knownOfSubscription, knownPlayer } from '../subscriptions/read-subscription-detail.ts';
import { SUBSCRIPTIONS_PER_PAGE } from '../subscriptions/rules/subscription.ts';

/** A player: requested by email, and the answer is stored by ID, never by email. */
export interface PlayerSubject {
  playerId: number;
  email: string;
}

/** How a player's wallet is read and stored. */
export function balancesRoute({ playerId, email }: PlayerSubject): DetailRoute<PlayerBalances> {
  return {
    kind: 'balances',
    subject: String(playerId),
    shape: playerBalances,
    ask: (invo, signal) => readBalancesOfPlayer(invo, email, signal),
    isNotFound: isAbsent,
    known: ({ player }) => ({ players: knownPlayer(player, player.player_email ?? email), subscriptions: [], ids: [] }),
  };
}

/** How one page of a player's subscriptions is read and stored. */
export function subscriptionsRoute({ playerId, email }: PlayerSubject, offset: number): DetailRoute<PlayerSubscriptions> {
  return {
    kind: 'subscriptions',
    subject: `${playerId} ${offset}`,
    shape: playerSubscriptions,
    ask: (invo, signal) => readSubscriptionsOfPlayer(invo, { playerEmail: email, limit: SUBSCRIPTIONS_PER_PAGE, offset }, signal),
    isNotFound: () => false,
    known: ({ subscriptions, player_email }) => {
      const known = subscriptions.map((subscription) => knownOfSubscription(subscription, null));
      const holders = subscriptions.map(({ player_id }) => ({ player_id, player_name: null, identity_id: null }));
      const players = holders.flatMap((holder) => knownPlayer(holder, player_email ?? email));
      return { players, subscriptions: known.flatMap((each) => each.subscriptions), ids: known.flatMap((each) => each.ids) };
    },
  };
}

/** How a player's saved cards are read and stored. */
export function cardsRoute({ playerId, email }: PlayerSubject): DetailRoute<PlayerCards> {
  return {
    kind: 'cards',
    subject: String(playerId),
    shape: playerCards,
    ask: (invo, signal) => readCardsOfPlayer(invo, email, signal),
    isNotFound: () => false,
    known: () => ({ players: [], subscriptions: [], ids: [] }),
  };
}
