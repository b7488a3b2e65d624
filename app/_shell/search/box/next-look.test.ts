import { expect, test } from 'vitest';
import type { LookUpReply } from '../look-up-words.ts';
import { onlyThing, wantsInvo } from './next-look.ts';

const PLAYER = { href: '/demo/players/9009', title: 'Halcyon Drift', note: 'player 9009' };
const PERIOD = { href: '/demo/periods/9009', title: 'Witness pass', note: 'period 9009' };
const reply = (changed: Partial<LookUpReply>): LookUpReply => ({
  found: [PLAYER],
  sentence: null,
  isTrouble: false,
  canAsk: true,
  mayBeMore: false,
  errorId: null,
  isNotHere: false,
  ...changed,
});

test.each<[string, Partial<LookUpReply>, boolean]>([
  ['a number of which a player is held and no period', { mayBeMore: true }, true],
  ['a number whose period is held', {}, false],
  ['what is not held', { found: [] }, true],
  ['what is not held and Invo cannot be asked by', { found: [], canAsk: false }, false],
])('Enter on %s asks Invo: %s', (_, changed, isAsked) => {
  expect(wantsInvo(reply(changed))).toBe(isAsked);
});

test('the only thing is opened, two are listed, and nothing is opened over trouble', () => {
  expect(onlyThing(reply({}))).toBe(PLAYER);
  expect(onlyThing(reply({ found: [PERIOD, PLAYER] }))).toBeNull();
  expect(onlyThing(reply({ isTrouble: true }))).toBeNull();
  expect(onlyThing(reply({ found: [] }))).toBeNull();
});
