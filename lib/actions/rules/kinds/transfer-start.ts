import * as z from 'zod';
import { compareMoney } from '#lib/core/money.ts';
import type { AnswerClass, Protocol } from '../protocol.ts';
import { classifyStart, isCovered, pickStarted, START, START_CODES, type Started, startRequest } from '../starts.ts';

/** Into which game, and how much. Of the player's phone only the last digits are stored. */
const request = z.object({
  target_game_id: startRequest.game,
  amount: startRequest.amount,
  player_phone_end: startRequest.phoneEnd,
});

/** Codes of transfers alone that say that nothing was reserved (document 3, Initiate-transfer refusals). */
const CODES = {
  ...START_CODES,
  SOURCE_GAME_NOT_LIVE: 'refused',
  TARGET_GAME_NOT_LIVE: 'refused',
  TRANSFER_POLICY_VIOLATION: 'refused',
} as const satisfies Record<string, AnswerClass>;

/**
 * Starts a transfer of a player's own coins to another game: Invo reserves them, and nothing moves until the player's own phone approves (document 3). The same
 * person is on both ends, so one number and one email are sent for both. A repeat of the key makes no second one.
 */
export const transferStart: Protocol<z.infer<typeof request>, Started, 'person'> = {
  ...START,
  kind: 'transfer_start',
  group: 'transfers',
  family: 'transfer_start',
  request,
  subjectOf: (_, playerId) => `transfer_start ${playerId}`,
  amountOf: ({ amount }) => amount,
  blockerOf: ({ amount }, { wallet }) => (isCovered(wallet, amount) ? null : 'not_covered'),
  isAlike: (one, other) => compareMoney(one.amount, other.amount) === 0,
  decidingOf: ({ wallet, destination, request: stored }) => {
    const transfer = request.safeParse(stored);
    return {
      player_id: wallet?.player_id ?? null,
      currencies: wallet?.balances.map(({ currency_id, currency_name }) => ({ currency_id, currency_name })) ?? null,
      destination: transfer.success ? (destination?.game_id ?? null) : null,
      is_covered: transfer.success ? isCovered(wallet, transfer.data.amount) : null,
    };
  },
  // The ID of the game is sent as text: the documents take both.
  write: ({ target_game_id, amount }, { reference: client_request_id, email, entered: phone, sender }) =>
    JSON.stringify({
      client_request_id,
      source_player_name: sender?.name ?? null,
      source_player_email: email,
      source_player_phone: phone,
      target_player_phone: phone,
      target_game_id,
      amount,
      target_player_email: email,
    }),
  pick: (json) => pickStarted(json, 'transfer_details'),
  classify: (observed, { amount }) => classifyStart(observed, amount, { family: 'transfer_start', codes: CODES, bare403: 'open' }),
};
