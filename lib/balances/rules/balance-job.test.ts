import { expect, test } from 'vitest';
import { indentJson } from '#lib/balances/read-withdrawals.ts';
import { BALANCE_JOB_STATES, type BalanceCounts, countUnanswered, joinBalances, judgeBalances, type WalletBalance } from './balance-job.ts';

const WHOLE: BalanceCounts = {
  scope: 'some',
  addressCount: 10,
  foundCount: 9,
  unknownCount: 1,
  unansweredCount: 0,
  strangerCount: 0,
  repeatedCount: 0,
};

test.each<[string, Partial<BalanceCounts>, string | null, number, boolean, number]>([
  ['every address found or unknown', {}, null, 0, true, 0],
  ['one not answered', { foundCount: 8, unansweredCount: 1 }, null, 0, false, 1],
  ['two never requested', { foundCount: 7 }, 'Stopped.', 2, false, 2],
  ['a stranger, who is only named', { strangerCount: 1 }, null, 0, true, 1],
  ['a stream that was cut', { scope: 'all', addressCount: null }, 'Cut.', 0, false, 1],
  ['a stream with a record that can’t be read', { scope: 'all', addressCount: null, unansweredCount: 1 }, null, 0, false, 1],
])('a job with %s', (_, counts, cut, heldBack, isComplete, reasonCount) => {
  const judged = judgeBalances({ ...WHOLE, ...counts }, cut, heldBack);
  expect([judged.isComplete, judged.reasons.length]).toEqual([isComplete, reasonCount]);
});

test('how many players a stream left out is known only when it ended whole, and of a list always', () => {
  const known = BALANCE_JOB_STATES.filter((state) => countUnanswered({ scope: 'all', state, unansweredCount: 0 }) !== null);
  expect(known).toEqual(['done']);
  for (const state of BALANCE_JOB_STATES) expect(countUnanswered({ scope: 'some', state, unansweredCount: 3 })).toBe(3);
});

test('counts that don’t add up to the addresses are an error, not a file', () => {
  expect(() => judgeBalances({ ...WHOLE, foundCount: 8 }, null, 0)).toThrow('9 of 10 addresses');
});

test('JSON is indented without changing a character of its values', () => {
  expect(indentJson('{"a":1.50,"b":["x,{}:\\"",{}],"c":[ ]}')).toBe(
    '{\n  "a": 1.50,\n  "b": [\n    "x,{}:\\"",\n    {}\n  ],\n  "c": []\n}',
  );
  for (const odd of ['', 'not JSON', '"open', '}}]]']) expect(indentJson(odd).replaceAll(/\s/g, '')).toBe(odd.replaceAll(/\s/g, ''));
});

const held = (currencyId: string | null, available: string): WalletBalance => ({
  currencyId,
  currencyName: null,
  available,
  reserved: null,
  total: null,
});

test('another currency of a player is one more balance, and the same currency again replaces the earlier figure', () => {
  const earlier = [held('311', '1.00'), held('318', '2.00')];
  expect(joinBalances(earlier, [held('400', '3.00')])).toEqual({ balances: [...earlier, held('400', '3.00')], replacedCount: 0 });
  expect(joinBalances(earlier, [held('311', '9.00')])).toEqual({ balances: [held('311', '9.00'), held('318', '2.00')], replacedCount: 1 });
});

test('currencies that Invo doesn’t name are one', () => {
  expect(joinBalances([held(null, '1.00')], [held(null, '2.00')])).toEqual({ balances: [held(null, '2.00')], replacedCount: 1 });
});
