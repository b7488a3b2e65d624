import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { sampleCycles } from '#lib/invo/testing/sample-answers.ts';
import type { PeriodRow, PeriodsReport } from './billing-periods.tsx';
import { PeriodsTable } from './billing-periods.tsx';

const SAMPLE = sampleCycles() as PeriodsReport;
const [UNPAID, PAID] = SAMPLE.periods as [PeriodRow, PeriodRow];

/** What the cells of one cycle say, its refunds among them. */
function cellsOf(cycle: PeriodRow): string[] {
  const report = { ...SAMPLE, periods: [cycle] };
  const html = renderToStaticMarkup(<PeriodsTable slug="demo" subscriptionId="SUB_1_sample" report={report} offset={0} />);
  return [...html.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => cell.replaceAll(/<[^>]*>/g, ''));
}

test.each<[string, PeriodRow, string]>([
  ['of which nothing was given back', PAID, '–'],
  ['of which a part was given back', { ...PAID, refund: { refunded_amount_usd: '4.00', refunded_at: null } }, '4.00'],
  ['of whose refunds Invo says nothing', { ...PAID, refund: null }, 'not recorded'],
  ['that was never paid', { ...UNPAID, refund: null }, '–'],
])('a cycle %s shows it: no word is not nothing', (_, cycle, said) => {
  expect(cellsOf(cycle)[4]).toBe(said);
});
