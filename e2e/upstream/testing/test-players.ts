import { expect } from 'vitest';
import { type Answered, SECRET, type TestInvo } from './test-client.ts';

/** The headers of a call as a player, with a token minted for it. */
export async function asPlayer(invo: TestInvo, email: string, secret = SECRET, prefix = ''): Promise<Record<string, string>> {
  const { status, body } = await invo.post(`${prefix}/api/sdk/player-token`, { player_email: email }, { 'x-game-secret-key': secret });
  expect(status).toBe(200);
  return { authorization: `Bearer ${body.token}` };
}

export const HOUSE = 'house.account@players.example';
export const ASA = 'asa.venn@players.example';

/** Starts a send from the house account to Asa Venn. */
export async function startSend(invo: TestInvo, more: object = {}): Promise<Answered> {
  return await invo.post('/api/currency-sends/initiate-send', {
    client_request_id: 'send-1',
    sender_player_name: 'House Account',
    sender_player_email: HOUSE,
    sender_player_phone: '+4915100910031',
    receiver_player_email: ASA,
    receiver_player_phone: '+4915112345678',
    receiving_game_id: 41207,
    amount: '25.00',
    ...more,
  });
}

/** What is available and what is reserved in a wallet. */
export async function coinsOf(invo: TestInvo, email = HOUSE, environment = 'production'): Promise<string[]> {
  const { coins, reserved } = (await invo.control('GET', `wallet?player_email=${encodeURIComponent(email)}&environment=${environment}`))
    .body;
  return [coins, reserved];
}

/** Moves the clock within 21 November 2026. */
export async function setTime(invo: TestInvo, time: string): Promise<void> {
  await invo.control('POST', 'clock', { now: `2026-11-21T${time}Z` });
}
