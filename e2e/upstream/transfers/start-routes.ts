import type { Call, Route } from '../route.ts';
import { readObject } from '../wire/read-request.ts';
import { initiate } from './initiate.ts';
import { invalid, readCoins, type StartRequest } from './initiate-checks.ts';

const COMMON = { method: 'POST', credential: 'secret', meter: 'none', subject: keyOf } as const;
const PER_MINUTE = 10;

/** Sends coins to another person: reserves them and waits for the sender's approval. */
export const initiateSendRoute: Route = {
  ...COMMON,
  name: 'initiate-send',
  pattern: /^\/api\/currency-sends\/initiate-send$/,
  playerMeter: ({ bytes }) => meterOf(readObject(bytes)['sender_player_email']),
  answer: (call) => initiate(call, readSend(call)),
};

/** Transfers coins of one player to another game, in the same way. */
export const initiateTransferRoute: Route = {
  ...COMMON,
  name: 'initiate-transfer',
  pattern: /^\/api\/transfers\/initiate-transfer$/,
  playerMeter: ({ bytes }) => meterOf(readObject(bytes)['source_player_email']),
  answer: (call) => initiate(call, readTransfer(call)),
};

function keyOf({ client_request_id: key }: Record<string, unknown>): string | null {
  return typeof key === 'string' ? key : null;
}

// The limit is the player's, whichever of the two routes is called.
function meterOf(email: unknown): { key: string; max: number } {
  return { key: `initiate|${String(email).trim().toLowerCase()}`, max: PER_MINUTE };
}

function readSend(call: Call): StartRequest {
  const { body, textIn, emailIn, phoneIn } = readFields(call);
  const game = body['receiving_game_id'];
  if (typeof game !== 'number' || !Number.isSafeInteger(game))
    throw invalid(call, 'receiving_game_id must be an integer.', 'INVALID_FIELD_VALUE');
  textIn('sender_player_name');
  return {
    kind: 'send',
    key: textIn('client_request_id'),
    senderEmail: emailIn('sender_player_email'),
    senderPhone: phoneIn('sender_player_phone'),
    toEmail: emailIn('receiver_player_email'),
    toPhone: phoneIn('receiver_player_phone'),
    toGame: String(game),
    amount: readCoins(call, body['amount']),
  };
}

function readTransfer(call: Call): StartRequest {
  const { body, textIn, emailIn, phoneIn } = readFields(call);
  const game = body['target_game_id'];
  if (typeof game !== 'string' && !Number.isSafeInteger(game))
    throw invalid(call, 'target_game_id must be a game’s id.', 'INVALID_FIELD_VALUE');
  textIn('source_player_name');
  return {
    kind: 'transfer',
    key: textIn('client_request_id'),
    senderEmail: emailIn('source_player_email'),
    senderPhone: phoneIn('source_player_phone'),
    toEmail: body['target_player_email'] === undefined ? null : emailIn('target_player_email'),
    toPhone: phoneIn('target_player_phone'),
    toGame: String(game),
    amount: readCoins(call, body['amount']),
  };
}

interface Fields {
  body: Record<string, unknown>;
  textIn(name: string): string;
  emailIn(name: string): string;
  phoneIn(name: string): string;
}

/** The body of a start, and what reads its fields or refuses them. */
function readFields(call: Call): Fields {
  const body = readObject(call.bytes);
  const textIn = (name: string): string => {
    const text = body[name];
    if (typeof text !== 'string' || text === '') throw invalid(call, `${name} is required.`, 'MISSING_FIELD');
    return text;
  };
  return {
    body,
    textIn,
    emailIn: (name) => textIn(name).trim().toLowerCase(),
    phoneIn(name) {
      const phone = textIn(name);
      if (!/^\+\d{10,15}$/.test(phone)) throw invalid(call, `${name} must be a plus and 10 to 15 digits.`, 'INVALID_PHONE');
      return phone;
    },
  };
}
