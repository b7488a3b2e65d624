import type { Call, Route } from '../route.ts';
import type { Reply } from '../wire/answer.ts';
import { readObject } from '../wire/read-request.ts';
import { initiate } from './initiate.ts';
import { invalid, readCoins, type StartRequest } from './initiate-checks.ts';

/** Sends coins to another person: reserves them and waits for the sender's approval. */
export const initiateSendRoute: Route = {
  name: 'initiate-send',
  method: 'POST',
  pattern: /^\/api\/currency-sends\/initiate-send$/,
  credential: 'secret',
  meter: 'none',
  subject: ({ client_request_id: key }) => (typeof key === 'string' ? key : null),
  playerMeter: ({ bytes }) => ({ key: `initiate|${String(readObject(bytes)['sender_player_email']).toLowerCase()}`, max: 10 }),
  answer: (call) => initiate(call, readSend(call)),
};

const REQUIRED = [
  'client_request_id',
  'sender_player_name',
  'sender_player_email',
  'sender_player_phone',
  'receiver_player_email',
] as const;

function readSend(call: Call): StartRequest {
  const body = readObject(call.bytes);
  const missing = REQUIRED.find((name) => typeof body[name] !== 'string' || body[name] === '');
  if (missing !== undefined) throw invalid(call, `${missing} is required.`, 'MISSING_FIELD');
  const game = body['receiving_game_id'];
  if (typeof game !== 'number' || !Number.isSafeInteger(game))
    throw invalid(call, 'receiving_game_id must be an integer.', 'INVALID_FIELD_VALUE');
  const phoneIn = (name: string): string => {
    const phone = body[name];
    if (typeof phone !== 'string' || !/^\+\d{10,15}$/.test(phone))
      throw invalid(call, `${name} must be a plus and 10 to 15 digits.`, 'INVALID_PHONE');
    return phone;
  };
  const emailIn = (name: string): string => String(body[name]).trim().toLowerCase();
  return {
    kind: 'send',
    key: String(body['client_request_id']),
    senderEmail: emailIn('sender_player_email'),
    senderPhone: phoneIn('sender_player_phone'),
    toEmail: emailIn('receiver_player_email'),
    toPhone: phoneIn('receiver_player_phone'),
    toGame: String(game),
    amount: readCoins(call, body['amount']),
  };
}
