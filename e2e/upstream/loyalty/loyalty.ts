import type { Environment } from '../model.ts';
import { findPlayer } from '../players/player-data.ts';
import type { Route } from '../route.ts';
import type { State } from '../state/state.ts';
import type { Json } from '../wire/answer.ts';
import { Refusal, sdkRefusal, wordsOnly } from '../wire/answer.ts';
import { cardsOfPlayer } from './loyalty-data.ts';

export const loyaltyRoute: Route = {
  name: 'loyalty',
  method: 'GET',
  pattern: /^\/api\/sdk\/loyalty\/players\/rewards$/,
  credential: 'secret',
  meter: 'none',
  answer({ view, search, environment, state }): Json {
    const has = (variant: string): boolean => state.shapes.has('loyalty', variant);
    const email = search.get('player_email')?.trim().toLowerCase() ?? '';
    if (!email.includes('@')) throw sdkRefusal(400, 'INVALID_PLAYER_EMAIL', 'player_email is not an email.');
    if (!isSetUp(state, environment)) throw notSetUp();
    const known = findPlayer(view, email);
    if (known === null) throw sdkRefusal(404, 'PLAYER_NOT_FOUND', 'No such player in this game.');
    const cards = cardsOfPlayer(view, known.player.playerId);
    if (has('version_2'))
      return {
        card_version: 2,
        cards: cards.map((card) => ({ ...card, card_version: 2, status: 'phase_two', secret_code: 'CANARY-REWARD-CODE-9Z8Y' })),
      };
    if (has('renamed')) return { card_version: 1, programs: cards };
    return { card_version: 1, cards: has('full_code') ? cards.map(withFullCodes) : cards };
  },
};

/** Whether the game is set up for loyalty: Emberfall isn't. */
export function isSetUp(state: State, environment: Environment): boolean {
  return environment !== 'emberfall' && !state.shapes.has('loyalty', 'not_set_up');
}

/** The refusal of a game that isn't; any 409 means it. */
export function notSetUp(): Refusal {
  return sdkRefusal(409, 'LOYALTY_NOT_CONFIGURED', 'The game is not set up for loyalty.');
}

/** The refusal of a player's call without a valid token, which the documents don't show. */
export function unauthorized({ shapes }: State): Refusal {
  const words = 'The player token is missing or no longer valid.';
  if (shapes.has('me-token', 'nothing')) return new Refusal(401, null, words);
  if (shapes.has('me-token', 'words')) return wordsOnly(401, words);
  const refusal = sdkRefusal(401, 'SDK_TOKEN_MALFORMED', words);
  return shapes.has('me-token', 'error') ? refusal.under('error') : refusal;
}

/** A card that breaks the rule that no code is ever in it. */
function withFullCodes(card: Json): Json {
  const rewards = (card['rewards'] as Json[]).map((reward) => ({
    ...reward,
    code: 'CANARY-REWARD-CODE-7K2Q',
    code_masked: 'CANARY-REWARD-CODE-7K2Q',
  }));
  return { ...card, rewards };
}
