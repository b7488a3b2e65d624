import { askWithin, type Deadline, type GameContext, type InvoFailure, toInvoFailure } from '../games/game-context.ts';
import { InvoError, isAbsent } from '../invo/invo-error.ts';
import { isSearchableEmail } from '../invo/request-path.ts';
import { type LoyaltyCards, readLoyaltyCards } from '../invo/routes/loyalty.ts';
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
import type { ItemHistory } from '../invo/undocumented/orders.ts';
import { readItemHistory } from '../orders/read-order.ts';
import { type Detail, type DetailRoute, findStoredDetail, type ReadOptions, readDetail } from '../subscriptions/read-detail.ts';
import { knownOfSubscription, knownPlayer } from '../subscriptions/read-subscription-detail.ts';
import { SUBSCRIPTIONS_PER_PAGE } from '../subscriptions/rules/subscription.ts';
import { findStoredPlayer, type StoredPlayer } from './reads.ts';
import { upsertLookUp } from './writes.ts';

/**
 * Who a player is, decided by the wallet, which every part of the page reads first. `unknown`: nothing stored mentions the player. `no_email`:
 * Invo reads players by email only, and none is stored. `other_player`: the stored email now belongs to another player, so nothing read by it is
 * shown. `no_player`: Invo has no player with that email.
 */
export type PlayerRead =
  | { kind: 'unknown' }
  | { kind: 'no_email'; stored: StoredPlayer }
  | { kind: 'other_player'; stored: StoredPlayer; playerId: number }
  | { kind: 'no_player'; stored: StoredPlayer }
  | KnownPlayer;

/** A player with the email that requests to Invo use. */
export interface KnownPlayer {
  kind: 'player';
  stored: StoredPlayer;
  subject: PlayerSubject;
  balances: Detail<PlayerBalances>;
  /** Why Invo couldn't say whose email it is; null: it just named this player. */
  unconfirmed: InvoFailure | null;
}

/** Reads a player's wallet, and by it who the stored email belongs to. */
export async function readPlayer(context: GameContext, playerId: number, options: ReadOptions = {}): Promise<PlayerRead> {
  return await readStoredPlayer(context, await findStoredPlayer(context.game.db, context.game.gameId, playerId), options);
}

/** Reads the wallet of a player who was found already, and by it who the stored email belongs to. */
export async function readStoredPlayer(context: GameContext, stored: StoredPlayer | null, options: ReadOptions = {}): Promise<PlayerRead> {
  if (stored === null) return { kind: 'unknown' };
  const subject = subjectOf(stored);
  if (subject === null) return { kind: 'no_email', stored };
  const { playerId } = subject;
  const balances = await readDetail(context, balancesRoute(subject), options);
  if (balances.kind === 'not_found') return await readWithoutWallet(context, stored, subject, balances, options);
  if ('value' in balances && balances.value.player.player_id !== playerId)
    return { kind: 'other_player', stored, playerId: balances.value.player.player_id };
  return { kind: 'player', stored, subject, balances, unconfirmed: 'error' in balances ? balances.error : null };
}

/** A player as requests to Invo name them; null when no email is stored that fits a request. */
export function subjectOf({ playerId, email }: StoredPlayer): PlayerSubject | null {
  return email === null || !isSearchableEmail(email) ? null : { playerId, email };
}

// Without a wallet the list of subscriptions, which is never a 404, says whether there is such a player (document 2).
async function readWithoutWallet(
  context: GameContext,
  stored: StoredPlayer,
  subject: PlayerSubject,
  balances: Detail<PlayerBalances>,
  options: ReadOptions,
): Promise<PlayerRead> {
  const list = await readDetail(context, subscriptionsRoute(subject, 0), options);
  const player = { kind: 'player', stored, subject, balances } as const;
  if (!('value' in list)) return { ...player, unconfirmed: 'error' in list ? list.error : null };
  const other = findOther(list.value, subject);
  if (other !== null) return { kind: 'other_player', stored, playerId: other };
  if (list.kind === 'live' && list.value.pagination.total_count === 0) return { kind: 'no_player', stored };
  return { ...player, unconfirmed: list.kind === 'stored' ? list.error : null };
}

function findOther({ subscriptions }: PlayerSubscriptions, { playerId }: PlayerSubject): number | null {
  return subscriptions.find(({ player_id }) => player_id !== playerId)?.player_id ?? null;
}

/** One page of a player's subscriptions, newest first; or whose they are, if the email is another player's by now. */
export type SubscriptionsRead = Detail<PlayerSubscriptions> | { kind: 'other_player'; playerId: number };

/** Reads one page of a player's subscriptions. */
export async function readPlayerSubscriptions(
  context: GameContext,
  { subject }: Pick<KnownPlayer, 'subject'>,
  { offset = 0, ...options }: ReadOptions & { offset?: number } = {},
): Promise<SubscriptionsRead> {
  const list = await readDetail(context, subscriptionsRoute(subject, offset), options);
  const other = 'value' in list ? findOther(list.value, subject) : null;
  return other === null ? list : { kind: 'other_player', playerId: other };
}

/** Reads a player's saved cards. They name no player, so while Invo doesn't confirm whose email it is, only stored ones are returned. */
export async function readPlayerCards(
  context: GameContext,
  { subject, unconfirmed }: KnownPlayer,
  deadline: Deadline = {},
): Promise<Detail<PlayerCards>> {
  const route = cardsRoute(subject);
  return unconfirmed === null ? await readDetail(context, route, deadline) : await findStoredDetail(context, route, unconfirmed);
}

/** Reads a player's loyalty cards, which are stored nowhere; nothing while Invo doesn't confirm whose email it is. */
export async function readPlayerLoyalty(
  context: GameContext,
  { subject, unconfirmed }: KnownPlayer,
  deadline: Deadline = {},
): Promise<LoyaltyDetail> {
  return unconfirmed === null ? await readLoyalty(context, subject.email, deadline) : { kind: 'nothing', error: unconfirmed };
}

/** Reads what a player bought for coins; nothing while Invo doesn't confirm whose email it is. */
export async function readPlayerItems(
  context: GameContext,
  { subject, unconfirmed }: KnownPlayer,
  deadline: Deadline = {},
): Promise<Detail<ItemHistory>> {
  return unconfirmed === null ? await readItemHistory(context, subject, deadline) : { kind: 'nothing', error: unconfirmed };
}

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
function cardsRoute({ playerId, email }: PlayerSubject): DetailRoute<PlayerCards> {
  return {
    kind: 'cards',
    subject: String(playerId),
    shape: playerCards,
    ask: (invo, signal) => readCardsOfPlayer(invo, email, signal),
    isNotFound: () => false,
  };
}

/** Why a game has no loyalty at Invo until a setting there is changed; asking again can't help. */
type LoyaltySetting = 'not_set_up' | 'not_migrated' | 'not_enabled';

/**
 * A player's loyalty cards, requested now: the answer is `no-store`, so nothing is stored. `not_found`: Invo has no such player there. `nothing`: Invo
 * couldn't be reached or refused otherwise, and no older cards are shown.
 */
export type LoyaltyDetail =
  | { kind: 'live'; value: LoyaltyCards; readAt: string }
  | { kind: LoyaltySetting; error: InvoFailure }
  | { kind: 'not_found' }
  | { kind: 'nothing'; error: InvoFailure };

/** Reads a player's loyalty cards. Never throws InvoError, and stores nothing. */
export async function readLoyalty(context: GameContext, email: string, deadline: Deadline = {}): Promise<LoyaltyDetail> {
  try {
    const value = await askWithin(context, deadline, (invo, signal) => readLoyaltyCards(invo, email, signal));
    return { kind: 'live', value, readAt: context.game.now() };
  } catch (error) {
    if (!(error instanceof InvoError)) throw error;
    // Document 1: of all codes of a 404 this one is about the player; an unknown route is a 404 too.
    if (isAbsent(error) && isCode(error, 'PLAYER_NOT_FOUND')) return { kind: 'not_found' };
    return { kind: settingOf(error) ?? 'nothing', error: toInvoFailure(error, { isPlayer: true, isUnstored: true }) };
  }
}

function settingOf(error: InvoError): LoyaltySetting | null {
  // Document 1: any 409 of this route says that the game is not set up for loyalty.
  if (error.status === 409) return 'not_set_up';
  if (isCode(error, 'TENANT_NOT_MIGRATED')) return 'not_migrated';
  return isCode(error, 'sdk_verification_disabled') ? 'not_enabled' : null;
}

function isCode({ errorCode }: InvoError, code: string): boolean {
  return errorCode?.toLowerCase() === code.toLowerCase();
}

/** Remembers for a person which player they opened; their own first page lists the last ones. */
export async function rememberLookUp({ game: { db, gameId }, lookUpBy }: GameContext, playerId: number): Promise<void> {
  if (lookUpBy !== undefined) await upsertLookUp(db, { gameId, personId: lookUpBy, playerId });
}
