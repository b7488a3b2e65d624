import { expect, test } from 'vitest';
import { formatNoSubscriptions, formatPlayerName } from './text.ts';

test.each([
  ['live', 'live', 'This player exists and has no subscriptions.'],
  ['stored', 'live', 'This player exists. Invo listed no subscriptions when it last answered.'],
  ['live', 'stored', 'Invo lists no subscriptions. Sharebook couldn’t check whether the player still exists.'],
  ['live', 'nothing', 'Invo lists no subscriptions. Sharebook couldn’t check whether the player exists.'],
  ['stored', 'nothing', 'Invo listed no subscriptions when it last answered. Sharebook couldn’t check whether the player exists.'],
  [
    'stored',
    'not_found',
    'Invo listed no subscriptions when it last answered and has no wallet for this player. The player may not exist.',
  ],
] as const)('an empty list that is %s beside a wallet that is %s reads: %s', (list, wallet, text) => {
  expect(formatNoSubscriptions(list, wallet)).toBe(text);
});

test.each([
  ['Mira Holt', 'Mira Holt'],
  [null, 'Player 42'],
  [' ', 'Player 42'],
])('a player named %j is shown as %j', (name, shown) => {
  expect(formatPlayerName(name, 42)).toBe(shown);
});
