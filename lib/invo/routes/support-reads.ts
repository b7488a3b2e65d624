import * as z from 'zod';
import { parseMoney } from '#lib/core/money.ts';
import type { Exchange, Invo } from '../invo.ts';
import { queryText, requireEmail, subscriptionSegment } from '../request-path.ts';
import {
  count,
  flag,
  ifFits,
  instant,
  list,
  type Mismatch,
  maybe,
  money,
  numericId,
  optionalText,
  otherThanRequested,
  percent,
  prose,
  readerOf,
  settledByInvo,
  textId,
  unreadableAmounts,
} from '../shapes/fields.ts';
import { pagination } from '../shapes/report-parts.ts';

const identity = { player_name: optionalText, player_email: optionalText, identity_id: ifFits(textId), date_joined: ifFits(instant) };

/** Who a player is, as support's routes name them (document 2, player balance). */
const player = z.object({ player_id: numericId, ...identity });

// The contract says only that a block is added: whatever its shape, it may not take the subscription with it.
const playerBlock = ifFits(z.object({ player_id: ifFits(textId), ...identity }));

/**
 * A subscription in its current state (document 2, Subscription object). `amount_usd` is the current price, `pending_amount_usd` one that is
 * staged; `paid_through` is the entitlement, the period's edges are billing only. Statuses the contract does not name stay as reported.
 */
export const subscriptionObject = z.object({
  subscription_id: textId,
  game_id: maybe(textId),
  player_id: numericId,
  client_request_id: optionalText,
  status: optionalText,
  amount_usd: maybe(money),
  pending_amount_usd: maybe(money),
  interval: optionalText,
  interval_count: ifFits(count),
  item_id: ifFits(textId),
  item_name: optionalText,
  current_period_start: ifFits(instant),
  current_period_end: ifFits(instant),
  period_seq: ifFits(count),
  next_charge_at: ifFits(instant),
  cancel_at_period_end: flag,
  trial_end: ifFits(instant),
  canceled_at: ifFits(instant),
  ended_at: ifFits(instant),
  wallet_only: flag,
  has_payment_method: flag,
  funding_rail: optionalText,
  pcstore_agreement_status: optionalText,
  metadata: prose,
  consent: prose,
  created_at: ifFits(instant),
  updated_at: ifFits(instant),
  revenue_share: maybe(z.object({ recipient_player_id: ifFits(numericId), percent: ifFits(percent), settled_by_invo: settledByInvo })),
  paid_through: maybe(instant),
});

/**
 * One subscription with the player who holds it; the block is read inside the subscription or beside it, null when Invo gave none. One
 * that names no id is about the player the subscription names.
 */
export const subscriptionRead = z
  .object({ subscription: subscriptionObject.extend({ player: playerBlock }), player: playerBlock })
  .transform(({ subscription: { player: inside, ...subscription }, player: outside }) => {
    const block = inside ?? outside;
    return { subscription, player: block && { ...block, player_id: numberOf(block.player_id) ?? subscription.player_id } };
  });

function numberOf(id: string | null): number | null {
  return id !== null && /^\d{1,15}$/.test(id) ? Number(id) : null;
}

export type Subscription = z.infer<typeof subscriptionObject>;
export type Player = z.infer<typeof player>;
export type SubscriptionRead = z.infer<typeof subscriptionRead>;

// Far above what one game or one player honestly has; they only bound a lie.
const CURRENCIES_MAX = 1_000;
const CARDS_MAX = 1_000;

/** One page of a player's subscriptions, newest first; empty for a player Invo does not know. */
export const playerSubscriptions = z.object({ player_email: optionalText, subscriptions: list(subscriptionObject, 100), pagination });

const balance = z
  .object({
    currency_id: ifFits(textId),
    currency_name: optionalText,
    available_balance: money,
    reserved_balance: prose,
    total_balance: prose,
  })
  .transform((held) => ({
    ...held,
    reserved_balance: parseMoney(held.reserved_balance),
    total_balance: parseMoney(held.total_balance),
    unreadable: unreadableAmounts(held, ['reserved_balance', 'total_balance']),
  }));

/** What a player's wallet holds, one balance per currency; coins, never dollars, and possibly below zero. */
export const playerBalances = z.object({
  player,
  balances: list(balance, CURRENCIES_MAX),
  summary: ifFits(z.object({ total_value: ifFits(money), currency_count: ifFits(count), has_funds: flag })),
  last_updated: ifFits(instant),
});

/** A saved card: the handle and what a person knows it by. Anything but four digits is no `last_four`, so that no more of a card is ever held. */
export const savedCard = z.object({
  id: numericId,
  last_four: z.transform<unknown, string | null>((value) => (typeof value === 'string' && /^\d{4}$/.test(value) ? value : null)),
  brand: optionalText,
  exp_month: ifFits(count),
  exp_year: ifFits(count),
  created_at: ifFits(instant),
});

/** A player's saved cards, newest first, expired ones left out; empty for a player Invo does not know. */
export const playerCards = z.object({ cards: list(savedCard, CARDS_MAX) });

export type PlayerSubscriptions = z.infer<typeof playerSubscriptions>;
export type PlayerBalances = z.infer<typeof playerBalances>;
export type SavedCard = z.infer<typeof savedCard>;
export type PlayerCards = z.infer<typeof playerCards>;

/** `status` holds statuses of subscriptions, or `live`, which Invo reads as its four live ones. */
interface PlayerSubscriptionsQuery {
  playerEmail: string;
  status?: string[];
  limit?: number;
  offset?: number;
}

// Emails go to Invo only: in logs and evidence a dot replaces them.
const HIDDEN = '•';

/** Reads one subscription with its player. Throws InvoError not_found for one that is not in this game and environment. */
export function readSubscription({ ask, gameId }: Invo, subscriptionId: string, signal?: AbortSignal): Promise<Exchange<SubscriptionRead>> {
  const path = `/api/subscriptions/${subscriptionSegment(subscriptionId)}`;
  const read = readerOf(subscriptionRead, (value) => findStranger(subscriptionId, gameId, value));
  return ask({ route: { kind: 'other', subscriptionId }, path, query: { include_player: 'true' }, read, signal });
}

/** Reads one page of a player's subscriptions; empty for a player Invo does not know (document 2, trap S1). */
export function readSubscriptionsOfPlayer(
  { ask, gameId }: Invo,
  { playerEmail, status, limit, offset }: PlayerSubscriptionsQuery,
  signal?: AbortSignal,
): Promise<Exchange<PlayerSubscriptions>> {
  const email = requireEmail(playerEmail);
  const [path, rest] = ['/api/subscriptions/player', { status: status?.join(','), limit, offset }];
  const read = readerOf(playerSubscriptions, (value) => findOtherList(email, offset ?? 0, gameId, value));
  const shown = `${path}?player_email=${HIDDEN}${queryText(rest).replace('?', '&')}`;
  return ask({ route: { kind: 'other' }, path, query: { player_email: email, ...rest }, shown, read, signal });
}

/** Reads a player's wallet. Throws InvoError not_found for a player never seen. */
export function readBalancesOfPlayer({ ask }: Invo, playerEmail: string, signal?: AbortSignal): Promise<Exchange<PlayerBalances>> {
  const email = requireEmail(playerEmail);
  const path = '/api/player-balances/player/by-email/';
  const read = readerOf(playerBalances, ({ player }) => findOtherPlayer('player.player_email', email, player.player_email));
  return ask({ route: { kind: 'balance' }, path: `${path}${encodeURIComponent(email)}`, shown: `${path}${HIDDEN}`, read, signal });
}

/** Reads a player's saved cards; empty for a player Invo does not know. */
export function readCardsOfPlayer({ ask }: Invo, playerEmail: string, signal?: AbortSignal): Promise<Exchange<PlayerCards>> {
  const email = requireEmail(playerEmail);
  const path = '/api/currency-purchases/player-cards';
  const read = readerOf(playerCards, () => null);
  return ask({ route: { kind: 'other' }, path, query: { player_email: email }, shown: `${path}?player_email=${HIDDEN}`, read, signal });
}

function findStranger(subscriptionId: string, gameId: string | null, { subscription, player }: SubscriptionRead): Mismatch | null {
  if (subscription.subscription_id !== subscriptionId) return otherThanRequested('subscription.subscription_id');
  if (player !== null && player.player_id !== subscription.player_id)
    return { path: 'player.player_id', reason: 'not the player of the subscription' };
  return findOtherGame('subscription', gameId, subscription);
}

function findOtherList(email: string, offset: number, gameId: string | null, page: PlayerSubscriptions): Mismatch | null {
  if (page.pagination.offset !== offset) return otherThanRequested('pagination.offset');
  for (const [index, subscription] of page.subscriptions.entries()) {
    const other = findOtherGame(`subscriptions.${index}`, gameId, subscription);
    if (other !== null) return other;
  }
  return findOtherPlayer('player_email', email, page.player_email);
}

function findOtherGame(path: string, gameId: string | null, { game_id }: Subscription): Mismatch | null {
  const isOther = gameId !== null && game_id !== null && game_id !== gameId;
  return isOther ? { path: `${path}.game_id`, reason: 'another game than the one pinned' } : null;
}

function findOtherPlayer(path: string, email: string, answered: string | null): Mismatch | null {
  return answered === null || answered.trim().toLowerCase() === email.toLowerCase() ? null : otherThanRequested(path);
}
