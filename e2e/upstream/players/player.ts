import { formatInstant } from '../instant.ts';
import type { SavedCard } from '../model.ts';
import { formatCoins } from '../refunds/plan-refund.ts';
import type { Call, Route } from '../route.ts';
import { playerObject } from '../subscriptions/subscription.ts';
import type { Json } from '../wire/answer.ts';
import { Refusal } from '../wire/answer.ts';
import { readEmail, readQuery } from '../wire/read-request.ts';
import { SUPPORT_CURRENCIES } from '../world/support-people.ts';
import { currencyOf } from '../world/tenants.ts';
import { cardsOf, findPlayer, isExpired, type KnownPlayer, walletOf } from './player-data.ts';

export const balancesRoute: Route = {
  name: 'balances',
  method: 'GET',
  pattern: /^\/api\/player-balances\/player\/by-email\/([^/]+)$/,
  credential: 'secret',
  meter: 'balance',
  answer: answerBalances,
};

export const playerCardsRoute: Route = {
  name: 'player-cards',
  method: 'GET',
  pattern: /^\/api\/currency-purchases\/player-cards$/,
  credential: 'secret',
  meter: 'none',
  answer({ view, search }): Json {
    const email = readEmail(readQuery(search, ['player_email']));
    const known = findPlayer(view, email.toLowerCase());
    const cards = known === null ? [] : cardsOf(view, known.player).filter((card) => !isExpired(card, view.nowMs));
    return { cards: cards.map(cardObject) };
  },
};

function answerBalances({ view, support, params, search }: Call): Json {
  readQuery(search, []);
  const known = findPlayer(view, (params[0] ?? '').trim().toLowerCase());
  if (known === null) throw new Refusal(404, 'PLAYER_NOT_FOUND', 'No such player in this game.');
  return walletObject(view, support, known);
}

/** A player with their balances, as the route by email reports them. */
export function walletObject(view: Call['view'], support: Call['support'], known: KnownPlayer): WalletObject {
  const { playerId } = known.player;
  const own = { ...currencyOf(view.world.gameId), ...walletOf(support, playerId) };
  const held = SUPPORT_CURRENCIES[playerId]?.map((held) => heldCurrency(held, own, support.coins(playerId))) ?? [own];
  const total = held.reduce((sum, { available, reserved }) => sum + available + reserved, 0n);
  return {
    player: { ...playerObject(known.player), date_joined: formatInstant(known.joinedMs) },
    balances: held.map(balanceObject),
    summary: { total_value: formatCoins(total), currency_count: held.length, has_funds: held.some(({ available }) => available > 0n) },
    last_updated: formatInstant(view.nowMs),
  };
}

// Only the game's own coins change.
function heldCurrency(held: { id: number; name: string; coins: bigint }, own: Held, coins: bigint | null): Held {
  const { id, name } = held;
  return id === own.id && coins !== null ? own : { id, name, available: held.coins, reserved: 0n };
}

interface Held {
  id: number;
  name: string;
  available: bigint;
  reserved: bigint;
}

/** The wallet of the contract. */
interface WalletObject extends Json {
  player: Json;
  balances: Json[];
  last_updated: string;
}

function balanceObject({ id, name, available, reserved }: Held): Json {
  return {
    currency_id: id,
    currency_name: name,
    available_balance: formatCoins(available),
    reserved_balance: formatCoins(reserved),
    total_balance: formatCoins(available + reserved),
  };
}

/** The saved card of the contract. */
export function cardObject(card: SavedCard): Json {
  return {
    id: card.id,
    last_four: card.lastFour,
    brand: card.brand,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    created_at: formatInstant(card.createdMs),
  };
}
