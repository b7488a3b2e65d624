import { expect, test } from 'vitest';
import type { LookUpReply } from '../look-up-words.ts';
import { listChoices, stepTo } from './list-choices.ts';

const NOTHING: LookUpReply = {
  found: [],
  sentence: null,
  isTrouble: false,
  canAsk: false,
  mayBeMore: false,
  errorId: null,
  isNotHere: false,
};

const offered = (reply: Partial<LookUpReply>): string[] => {
  const done: string[] = [];
  const choices = listChoices(
    { ...NOTHING, ...reply },
    {
      others: [{ slug: 'aurora', label: 'Aurora' }],
      open: (href) => done.push(`open ${href}`),
      askInvo: () => done.push('ask Invo'),
      lookIn: (slug) => done.push(`look in ${slug}`),
    },
  );
  for (const choice of choices) choice.act();
  return choices.map(({ title }, at) => `${title}: ${done[at]}`);
};

test('what was found stands first, then Invo, then the other games where it is not here', () => {
  const found = [{ title: 'Kaia', note: 'a player', href: '/demo/players/7' }];
  expect(offered({ found, canAsk: true })).toEqual(['Kaia: open /demo/players/7', 'Ask Invo too: ask Invo']);
  expect(offered({ isTrouble: true, canAsk: true })).toEqual(['Ask Invo again: ask Invo']);
  expect(offered({ isNotHere: true })).toEqual(['Look in Aurora: look in aurora']);
  expect(offered({})).toEqual([]);
});

test.each([
  [1, -1, 0],
  [1, 0, 1],
  [1, 2, 0],
  [-1, -1, 2],
  [-1, 0, 2],
  [-1, 2, 1],
] as const)('a step of %i from %i of three comes to %i', (step, current, to) => {
  expect(stepTo(step, { current, count: 3 })).toBe(to);
});
