import { findStoredPlayer, type StoredPlayer } from '#db/players/reads.ts';
import type { Deadline, GameContext } from '../games/game-context.ts';
import { isAbsent } from '../invo/invo-error.ts';
import {
  type PlayerBalances,
  type PlayerCards,
  type PlayerSubscriptions,
  playerBalances,
  playerCards,
  playerSubscriptions,
} from '../invo/routes/support-reads.ts';
import { isAskedEmail } from '../invo/transport/send-request.ts';
import { type Detail, type DetailRoute, findStoredDetail, readDetail } from '../subscriptions/read-detail.ts';
import { knownOfSubscription, knownPlayer } from '../subscriptions/read-subscription-detail.ts';

/** Subscriptions per page: Invo's maximum. */
export const SUBSCRIPTIONS_PER_PAGE = 100;

/**
 * The result of reading a player. `unknown`: nothing stored mentions the player. `no_email`: Invo reads players by email only, and none
 * is stored. `other_player`: the stored email now belongs to another player, so nothing read by it is shown. `no_player`: Invo has no
 * player with that email, which is not the same as a player without subscriptions (document 2).
 */
export type PlayerDetail =
  | { kind: 'unknown' }
  | { kind: 'no_email'; stored: StoredPlayer }
  | { kind: 'other_player'; stored: StoredPlayer; playerId: number }
  | { kind: 'no_player'; stored: StoredPlayer }
  | {
      kind: 'player';
      stored: StoredPlayer;
      balances: Detail<PlayerBalances>;
      subscriptions: Detail<PlayerSubscriptions>;
      cards: Detail<PlayerCards>;
    };

/** Reads a player's wallet, cards and one page of subscriptions, newest first; each is live or stored on its own. */
export async function readPlayerDetail(
  context: GameContext,
  playerId: number,
  { offset = 0, ...deadline }: Deadline & { offset?: number } = {},
): Promise<PlayerDetail> {
  const stored = await findStoredPlayer(context.game.db, context.game.gameId, playerId);
  if (stored === null) return { kind: 'unknown' };
  if (stored.email === null || !isAskedEmail(stored.email)) return { kind: 'no_email', stored };
  const subject = { playerId, email: stored.email };
  const [balances, subscriptions] = await Promise.all([
    readDetail(context, balancesRoute(subject), deadline),
    readDetail(context, subscriptionsRoute(subject, offset), deadline),
  ]);
  const other = [
    ...('value' in balances ? [balances.value.player.player_id] : []),
    ...('value' in subscriptions ? subscriptions.value.subscriptions.map(({ player_id }) => player_id) : []),
  ].find((id) => id !== playerId);
  if (other !== undefined) return { kind: 'other_player', stored, playerId: other };
  if (isNoPlayer(balances, subscriptions)) return { kind: 'no_player', stored };
  return { kind: 'player', stored, balances, subscriptions, cards: await readCards(context, subject, balances, subscriptions, deadline) };
}

// The list of cards names no player, so it is read only when a live answer shows that the email is still this player's.
async function readCards(
  context: GameContext,
  subject: PlayerSubject,
  balances: Detail<PlayerBalances>,
  subscriptions: Detail<PlayerSubscriptions>,
  deadline: Deadline,
): Promise<Detail<PlayerCards>> {
  const isNamed = balances.kind === 'live' || (subscriptions.kind === 'live' && subscriptions.value.subscriptions.length > 0);
  if (isNamed) return await readDetail(context, cardsRoute(subject), deadline);
  const error = 'error' in balances ? balances.error : 'error' in subscriptions ? subscriptions.error : null;
  return error === null ? { kind: 'not_found' } : await findStoredDetail(context, cardsRoute(subject), error);
}

/** Whether Invo has no player with an email: no wallet exists, and the list of subscriptions, which is never a 404, is empty. */
function isNoPlayer(balances: Detail<PlayerBalances>, subscriptions: Detail<PlayerSubscriptions>): boolean {
  return balances.kind === 'not_found' && subscriptions.kind === 'live' && subscriptions.value.pagination.total_count === 0;
}

/** A player: Invo is asked by email, and the answer is stored by id, never by email. */
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
    ask: (client, signal) => client.playerBalances(email, signal),
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
    ask: (client, signal) => client.playerSubscriptions({ playerEmail: email, limit: SUBSCRIPTIONS_PER_PAGE, offset }, signal),
    isNotFound: () => false,
    known: ({ subscriptions, player_email }) => {
      const known = subscriptions.map((subscription) => knownOfSubscription(subscription, null));
      const holders = subscriptions.map(({ player_id }) => ({ player_id, player_name: null, identity_id: null }));
      const players = holders.flatMap((holder) => knownPlayer(holder, player_email ?? email));
      return { players, subscriptions: known.flatMap((each) => each.subscriptions), ids: known.flatMap((each) => each.ids) };
    },
  };
}

function cardsRoute({ playerId, email }: PlayerSubject): DetailRoute<PlayerCards> {
  return {
    kind: 'cards',
    subject: String(playerId),
    shape: playerCards,
    ask: (client, signal) => client.playerCards(email, signal),
    isNotFound: () => false,
    known: () => ({ players: [], subscriptions: [], ids: [] }),
  };
}
