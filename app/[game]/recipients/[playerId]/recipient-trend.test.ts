import { expect, test } from 'vitest';
import type { RecipientMonth } from '#db/evidence/reads/recipients.ts';
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

test('a month never pulled breaks the series, and a month pulled without a row is zero', () => {
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
  expect(trend[1]?.word).toBe('Never pulled');
});

test('a month that does not tie is not drawn', () => {
  const [month] = trendOf('demo', {
    playerId: 9010,
    months: [row('2026-10', 'inconsistent')],
    stated: statedAs('inconsistent', '2026-10'),
  });
  expect(month).toMatchObject({ figures: null, word: 'Does not tie' });
});

test('each month drawn leads to its lines, one without a row to the whole month', () => {
  const trend = trendOf('demo', { playerId: 9010, months: [row('2026-09')], stated: statedAs('complete', '2026-10', '2026-09') });
  expect(trend.map(({ href }) => href)).toEqual(['/demo/recipients/9010?month=2026-09', '/demo/months/2026-10']);
});
