import { formatInstant } from '../instant.ts';
import type { Player } from '../model.ts';
import { formatCoins } from '../refunds/plan-refund.ts';
import type { Call, Route } from '../route.ts';
import { type Json, Refusal, wordsOnly } from '../wire/answer.ts';
import { readObject } from '../wire/read-request.ts';
import { canonicalPhone, phoneOf } from '../world/phones.ts';
import { LINKED_GAME_IDS, type Tenant, tenantsFor } from '../world/tenants.ts';
import { findPlayer, walletOf } from './player-data.ts';

/** The games in which a person plays already, found by email and number together. */
export const destinationsRoute: Route = {
  name: 'destinations',
  method: 'POST',
  pattern: /^\/api\/players\/destinations$/,
  credential: 'secret',
  meter: 'none',
  answer: answerDestinations,
};

function answerDestinations(call: Call): Json {
  const { view, state, environment } = call;
  const body = readObject(call.bytes);
  const email = typeof body['email'] === 'string' ? body['email'].trim().toLowerCase() : '';
  const phone = canonicalPhone(body['phone']);
  if (!email.includes('@')) throw invalid(call, 'email is missing or invalid.', 'INVALID_EMAIL');
  if (phone === null) throw invalid(call, 'phone is missing or invalid.', 'INVALID_PHONE');
  const { transferMode, hasOutgoing } = state.games[environment];
  if (!hasOutgoing) throw wordsOnly(403, 'Outgoing transfers are disabled for this game.');
  const own = view.world.gameId;
  const known = findPlayer(view, email)?.player ?? null;
  const isPerson = known !== null && phoneOf(email) === phone && !state.shapes.has('destinations', 'empty');
  const isRevealed = ({ gameId, type, status }: Tenant): boolean =>
    type === 'game' && status === 'live' && (gameId === own || transferMode === 'universal' || LINKED_GAME_IDS.includes(gameId));
  const listed = isPerson ? tenantsFor(own).filter(isRevealed) : [];
  const destinations = listed
    .filter(({ gameId }) => gameId !== own || !state.shapes.has('destinations', 'without_own'))
    .map((title) => presence(call, title, known as Player))
    .sort((a, b) => b.last_active.localeCompare(a.last_active) || a.game_name.localeCompare(b.game_name));
  return {
    status: 'success',
    source_game_id: own,
    source_game_name: tenantsFor(own)[0]?.name ?? null,
    transfer_mode: transferMode,
    destinations,
  };
}

const HOURS_AGO: Readonly<Record<string, number>> = { '41207': 2, '90417': 2, '41300': 26, '41700': 26 };

interface Presence extends Json {
  game_name: string;
  last_active: string;
}

function presence({ view, state }: Call, { gameId, name, type, status, currency, environment }: Tenant, player: Player): Presence {
  return {
    game_id: gameId,
    game_name: name,
    tenant_type: type,
    game_status: status,
    default_currency: { currency_id: currency.id, currency_name: currency.name, currency_symbol: currency.symbol },
    available_balance: environment === null ? '12.00' : formatCoins(walletOf(state.support(environment), player.playerId).available),
    last_active: formatInstant(view.nowMs - (HOURS_AGO[gameId] ?? 0) * 3_600_000),
    accepts_pcstore_origin_value: false,
  };
}

// The documents show no code of these refusals.
function invalid({ state }: Call, words: string, code: string): Refusal {
  return state.shapes.has('destinations', 'codes') ? new Refusal(400, code, words) : wordsOnly(400, words);
}
