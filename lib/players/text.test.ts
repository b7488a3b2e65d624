import { expect, test } from 'vitest';
import {
  CARD_STATUSES,
  cardStatusText,
  formatAlike,
  formatNoneAlike,
  formatNoSubscriptions,
  formatPlayerName,
  NO_CARDS,
  REWARD_STATES,
  rewardStateText,
  STEP_STATES,
  stepStateText,
} from './text.ts';

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

test.each([
  ['card', CARD_STATUSES, cardStatusText],
  ['step', STEP_STATES, stepStateText],
  ['reward', REWARD_STATES, rewardStateText],
] as const)('each state of a %s has its own words, and any other is shown as it came', (_, states, textOf) => {
  expect(new Set(states.map((state) => textOf(state).label)).size).toBe(states.length);
  for (const state of ['someday', 'constructor', '__proto__']) expect(textOf(state)).toEqual({ label: state, tone: 'quiet' });
  expect(textOf(null).label).toBe('Not reported');
});

test('a card under review is neither completed nor refused', () => {
  expect(cardStatusText('in_review')).toEqual({ label: 'Finished, reward being checked', tone: 'wait' });
});

test('the seven reasons for showing no cards differ', () => {
  expect(new Set(Object.values(NO_CARDS).map(({ title }) => title)).size).toBe(7);
});

test('beside the wait that Invo requested, no other wait is named', () => {
  expect(NO_CARDS.waiting.sentence).not.toMatch(/wait|minute|this game/);
});

test('the sentence that no two charges are alike covers only those that could be compared', () => {
  expect(formatNoneAlike(0)).toBe('No two charges listed here have the same amount within 24 hours, or belong to the same period.');
  expect(formatNoneAlike(1)).toMatch(/^No two charges whose amount and time are known .* 1 charge couldn’t be compared: its amount/);
  expect(formatNoneAlike(3)).toContain('3 charges couldn’t be compared: their amount or time isn’t known. Open them');
});

test('charges on both sides of midnight name both days, in the time zone of the game', () => {
  const charge = (time: string) => ({ kind: 'unread_order', orderId: time, at: time, amount_usd: '20.00', refund: 'none' }) as const;
  const group = { likeness: 'same_amount', charges: [charge('2026-11-15T00:30:00Z'), charge('2026-11-14T23:30:00Z')] } as const;
  expect(formatAlike({ ...group, charges: [...group.charges] }, 'UTC').title).toBe('2 charges of $20.00 from 14 Nov 2026 to 15 Nov 2026');
  expect(formatAlike({ ...group, charges: [...group.charges] }, 'Europe/Berlin').title).toBe('2 charges of $20.00 on 15 Nov 2026');
});
