import * as z from 'zod';
import { compareMoney } from '#lib/core/money.ts';
import type { AnswerClass, Protocol } from '../protocol.ts';
import { classifyStart, isCovered, pickStarted, START, START_CODES, type Started, startRequest } from '../starts.ts';

/** From which house account, into which game, and how much. Of the two phones only the last digits are stored. */
const request = z.object({
  house_player_id: z.number().int(),
  receiving_game_id: startRequest.game,
  amount: startRequest.amount,
  receiver_phone_end: startRequest.phoneEnd,
});

/** Codes of sends alone that say that nothing was reserved (document 3, Send initiate refusals). */
const CODES = {
  ...START_CODES,
  velocity_limit_exceeded: 'not_now',
  CURRENCY_SEND_POLICY_VIOLATION: 'refused',
  GAME_TO_PLATFORM_BLOCKED: 'refused',
  PLATFORM_TO_GAME_BLOCKED: 'refused',
} as const satisfies Record<string, AnswerClass>;

/**
 * Starts a send of coins of a house account: Invo reserves them, and nothing moves until the account's own phone approves (document 3). A repeat of the key
 * makes no second one. Nobody sends it again by itself: a person does, with the same bytes.
 */
export const sendStart: Protocol<z.infer<typeof request>, Started, 'person'> = {
  ...START,
  kind: 'send_start',
  group: 'sends',
  family: 'send_start',
  request,
  subjectOf: ({ house_player_id }, playerId) => `send ${house_player_id} ${playerId}`,
  amountOf: ({ amount }) => amount,
  blockerOf: ({ amount }, { sender }) => (isCovered(sender, amount) ? null : 'not_covered'),
  isAlike: (one, other) => compareMoney(one.amount, other.amount) === 0,
  decidingOf: ({ wallet, sender, destination, request: stored }) => {
    const send = request.safeParse(stored);
    const isStored = send.success;
    return {
      player_id: wallet?.player_id ?? null,
      sender: isStored ? (sender?.player_id ?? null) : null,
      destination: isStored ? (destination?.game_id ?? null) : null,
      is_covered: isStored ? isCovered(sender, send.data.amount) : null,
    };
  },
  write: ({ receiving_game_id, amount }, { reference: client_request_id, email: receiver_player_email, entered, sender }) =>
    JSON.stringify({
      client_request_id,
      sender_player_name: sender?.name ?? null,
      sender_player_email: sender?.email ?? null,
      sender_player_phone: sender?.phone ?? null,
      receiver_player_email,
      receiver_player_phone: entered,
      receiving_game_id: Number(receiving_game_id),
      amount,
    }),
  pick: (json) => pickStarted(json, 'send_details'),
  // A 403 without a code: a title in testing on either side.
  classify: (observed, { amount }) => classifyStart(observed, amount, { family: 'send_start', codes: CODES, bare403: 'refused' }),
};
