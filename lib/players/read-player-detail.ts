import { findHeldPlayer, type HeldPlayer } from '#db/players/reads/find-player.ts';
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
import { isAskedEmail } from '../invo/transport/request-path.ts';
import { knownOfSubscription, knownPlayer } from '../subscriptions/known-things.ts';
import { type Detail, type DetailRoute, readDetail, readHeld } from '../subscriptions/read-detail.ts';

/** Subscriptions on one page: as many as Invo gives at once. */
export const SUBSCRIPTIONS_A_PAGE = 100;

/**
 * What is known of a player. `unknown`: nothing here names the player. `no_email`: Invo can be asked about a player by e-mail only, and
 * none is held. `other_player`: the e-mail that was held is now somebody else's, so nothing read by it is shown. `no_player`: Invo
 * itself knows nobody of that e-mail, which is not the same as a player without subscriptions (document 2; trap S1).
 */
export type PlayerDetail =
  | { kind: 'unknown' }
  | { kind: 'no_email'; held: HeldPlayer }
  | { kind: 'other_player'; held: HeldPlayer; playerId: number }
  | { kind: 'no_player'; held: HeldPlayer }
  | {
      kind: 'player';
      held: HeldPlayer;
      balances: Detail<PlayerBalances>;
      subscriptions: Detail<PlayerSubscriptions>;
      cards: Detail<PlayerCards>;
    };

/** Reads a player's wallet, cards and one page of subscriptions, newest first, each as Invo says now or as it said last. */
export async function readPlayerDetail(
  desk: GameContext,
  playerId: number,
  { offset = 0, ...patience }: Deadline & { offset?: number } = {},
): Promise<PlayerDetail> {
  const held = await findHeldPlayer(desk.game.db, desk.game.gameId, playerId);
  if (held === null) return { kind: 'unknown' };
  if (held.email === null || !isAskedEmail(held.email)) return { kind: 'no_email', held };
  const subject = { playerId, email: held.email };
  const [balances, subscriptions] = await Promise.all([
    readDetail(desk, balancesRoute(subject), patience),
    readDetail(desk, subscriptionsRoute(subject, offset), patience),
  ]);
  const other = [
    ...('value' in balances ? [balances.value.player.player_id] : []),
    ...('value' in subscriptions ? subscriptions.value.subscriptions.map(({ player_id }) => player_id) : []),
  ].find((id) => id !== playerId);
  if (other !== undefined) return { kind: 'other_player', held, playerId: other };
  if (isNobody(balances, subscriptions)) return { kind: 'no_player', held };
  return { kind: 'player', held, balances, subscriptions, cards: await readCards(desk, subject, balances, subscriptions, patience) };
}

// Cards name no player: they are asked for only once Invo has said now that the e-mail is still this player's.
async function readCards(
  desk: GameContext,
  subject: AskedPlayer,
  balances: Detail<PlayerBalances>,
  subscriptions: Detail<PlayerSubscriptions>,
  patience: Deadline,
): Promise<Detail<PlayerCards>> {
  const isNamed = balances.kind === 'live' || (subscriptions.kind === 'live' && subscriptions.value.subscriptions.length > 0);
  if (isNamed) return await readDetail(desk, cardsRoute(subject), patience);
  const trouble = 'trouble' in balances ? balances.trouble : 'trouble' in subscriptions ? subscriptions.trouble : null;
  return trouble === null ? { kind: 'not_found' } : await readHeld(desk, cardsRoute(subject), trouble);
}

/** Whether Invo knows nobody of an e-mail: no wallet was ever seen, and the list, which is never a 404, is empty. */
function isNobody(balances: Detail<PlayerBalances>, subscriptions: Detail<PlayerSubscriptions>): boolean {
  return balances.kind === 'not_found' && subscriptions.kind === 'live' && subscriptions.value.pagination.total_count === 0;
}

/** A player as Invo is asked about them, and as what was read is kept: never under the e-mail. */
export interface AskedPlayer {
  playerId: number;
  email: string;
}

/** How a player's wallet is asked for and kept. */
export function balancesRoute({ playerId, email }: AskedPlayer): DetailRoute<PlayerBalances> {
  return {
    kind: 'balances',
    subject: String(playerId),
    shape: playerBalances,
    ask: (client, signal) => client.playerBalances(email, signal),
    isNotFound: isAbsent,
    known: ({ player }) => ({ players: knownPlayer(player, player.player_email ?? email), subscriptions: [], ids: [] }),
  };
}

/** How one page of a player's subscriptions is asked for and kept. */
export function subscriptionsRoute({ playerId, email }: AskedPlayer, offset: number): DetailRoute<PlayerSubscriptions> {
  return {
    kind: 'subscriptions',
    subject: `${playerId} ${offset}`,
    shape: playerSubscriptions,
    ask: (client, signal) => client.playerSubscriptions({ playerEmail: email, limit: SUBSCRIPTIONS_A_PAGE, offset }, signal),
    isNotFound: () => false,
    known: ({ subscriptions, player_email }) => {
      const known = subscriptions.map((subscription) => knownOfSubscription(subscription, null));
      const holders = subscriptions.map(({ player_id }) => ({ player_id, player_name: null, identity_id: null }));
      const players = holders.flatMap((holder) => knownPlayer(holder, player_email ?? email));
      return { players, subscriptions: known.flatMap((each) => each.subscriptions), ids: known.flatMap((each) => each.ids) };
    },
  };
}

function cardsRoute({ playerId, email }: AskedPlayer): DetailRoute<PlayerCards> {
  return {
    kind: 'cards',
    subject: String(playerId),
    shape: playerCards,
    ask: (client, signal) => client.playerCards(email, signal),
    isNotFound: () => false,
    known: () => ({ players: [], subscriptions: [], ids: [] }),
  };
}
