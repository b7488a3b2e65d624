import { expect, test } from 'vitest';
import { sayNoSubscriptions } from './text.ts';

test.each([
  ['live', 'live', 'This player exists and has no subscriptions.'],
  ['stored', 'live', 'This player exists; Invo listed none when it last answered.'],
  ['live', 'stored', 'Invo lists none; whether the player still exists could not be asked.'],
  ['live', 'nothing', 'Invo lists none; whether the player exists could not be asked.'],
  ['stored', 'nothing', 'Invo listed none when it last answered; whether the player exists could not be asked.'],
  ['stored', 'not_found', 'Invo listed none when it last answered, and has seen no wallet: this may be nobody at all.'],
] as const)('with a list that is %s and a wallet that is %s it says: %s', (list, wallet, said) => {
  expect(sayNoSubscriptions(list, wallet)).toBe(said);
});
