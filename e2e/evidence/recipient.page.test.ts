import { expect, test } from 'vitest';
import { visit } from '../pages/visit.ts';

test('a recipient has gross in even months and reversals in odd ones', async () => {
  const page = await visit('/demo/recipients/9009');
  expect(page.heading).toBe('Halcyon Drift');
  const months = page.region('Months');
  const cellsOf = (month: RegExp, expected: string[]): void =>
    expect(months.row(month).cells.slice(0, expected.length)).toEqual(expected.map((cell) => expect.stringContaining(cell)));
  cellsOf(/^October 2026/, ['1', '13.50', '0.00', '13.50', '0', 'Complete']);
  cellsOf(/^September 2026/, ['0', '0.00', '−13.50', '−13.50', '1', 'Complete']);
  expect(months.row(/^November 2026/).text).toContain('Open, covered until 21 Nov 2026 11:45 UTC');
});

test('the totals of a recipient cover complete months only', async () => {
  const months = (await visit('/demo/recipients/9009')).region('Months');
  const complete = months.rows.filter(({ cells }) => cells.includes('Complete'));
  expect(complete).not.toEqual([]);
  const reversedCount = complete.filter(({ text }) => text.includes('−')).length;
  const count = complete.length;
  // Every even month has 13.50 and every odd one reverses 13.50; the open November, which reverses October, isn’t included.
  const [gross, reversed] = [(count - reversedCount) * 1350, reversedCount * 1350];
  const total = [String(count - reversedCount), cents(gross), `−${cents(reversed)}`, cents(gross - reversed)];
  expect(months.row(/^Complete months/).cells.slice(0, 4)).toEqual(total.map((cell) => expect.stringContaining(cell)));
});

test('a month of a recipient shows its lines', async () => {
  const page = await visit('/demo/recipients/9003');
  expect(page.region('Months').link('October 2026')).toBe('/demo/recipients/9003?month=2026-10');
  const lines = (await visit('/demo/recipients/9003?month=2026-10')).table('lines').text;
  expect(lines).toContain('2026100013');
  expect(lines).toContain('base differs, 90.00 expected');
});

test('the amount of a recipient not found by Invo is shown under the player ID', async () => {
  const page = await visit('/demo/recipients/9008');
  expect(page.heading).toBe('Player 9008');
  expect(page.text).toContain('Not found by Invo');
});

function cents(amount: number): string {
  return (amount / 100).toFixed(2);
}
