import { expect, test } from 'vitest';
import type { RecipientMonth } from '#lib/evidence/reads/recipients.ts';
import { trendOf } from './recipient-trend.ts';

const row = (month: string, status: RecipientMonth['status'] = 'complete'): RecipientMonth => ({
  month,
  status,
  coveredUntil: '2026-11-21T11:45:00Z',
  earned: '10.00',
  reversed: '12.50',
  net: '-2.50',
  renewalCount: 1,
  reversalCount: 2,
});
const statedAs = (status: RecipientMonth['status'], ...months: string[]): Pick<RecipientMonth, 'month' | 'status'>[] =>
  months.map((month) => ({ month, status }));

test('a month that isn’t pulled breaks the series, and a pulled month without a row is zero', () => {
  const trend = trendOf('demo', {
    playerId: 9010,
    months: [row('2026-11', 'open'), row('2026-08')],
    stated: [...statedAs('open', '2026-11'), ...statedAs('complete', '2026-10', '2026-08', '2026-07')],
  });
  expect(trend.map((each) => [each.month, each.figures?.net_attributed_usd ?? null, each.isOpen])).toEqual([
    ['2026-08', '-2.50', false],
    ['2026-09', null, false],
    ['2026-10', '0.00', false],
    ['2026-11', '-2.50', true],
  ]);
  expect(trend[1]?.word).toBe('Not pulled');
});

test('a month that doesn’t reconcile isn’t drawn', () => {
  const [month] = trendOf('demo', {
    playerId: 9010,
    months: [row('2026-10', 'inconsistent')],
    stated: statedAs('inconsistent', '2026-10'),
  });
  expect(month).toMatchObject({ figures: null, word: 'Doesn’t reconcile' });
});

test('each month links to its lines, and one without a row to the whole month', () => {
  const trend = trendOf('demo', { playerId: 9010, months: [row('2026-09')], stated: statedAs('complete', '2026-10', '2026-09') });
  expect(trend.map(({ href }) => href)).toEqual(['/demo/recipients/9010?month=2026-09', '/demo/months/2026-10']);
});
