import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { sampleCycles } from '#e2e/support/invo/sample-answers.ts';
import type { PeriodRow, PeriodsReport } from './billing-periods.tsx';
import { PeriodsTable } from './billing-periods.tsx';

const SAMPLE = sampleCycles() as PeriodsReport;
const [UNPAID, PAID] = SAMPLE.periods as [PeriodRow, PeriodRow];

/** The cells of one period's row. */
function cellsOf(period: PeriodRow): string[] {
  const report = { ...SAMPLE, periods: [period] };
  const html = renderToStaticMarkup(<PeriodsTable slug="demo" subscriptionId="SUB_1_sample" report={report} offset={0} />);
  return [...html.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => cell.replaceAll(/<[^>]*>/g, ''));
}

test.each<[string, PeriodRow, string]>([
  ['without refunds', PAID, 'none'],
  ['with a partial refund', { ...PAID, refund: { refunded_amount_usd: '4.00', refunded_at: null } }, '4.00'],
  ['whose refunds Invo doesn’t report', { ...PAID, refund: null }, 'not reported'],
  ['that was not paid', { ...UNPAID, refund: null }, 'none'],
])('a period %s shows its refunds: not reported isn’t none', (_, period, shown) => {
  expect(cellsOf(period)[4]).toBe(shown);
});
