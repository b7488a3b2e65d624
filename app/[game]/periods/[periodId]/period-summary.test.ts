import { expect, test } from 'vitest';
import { samplePeriodReport } from '#e2e/support/invo/sample-answers.ts';
import { periodReport, reshapePeriodFacts } from '#lib/invo/routes/period-report.ts';
import { summarizeCharge } from './period-summary.tsx';

function summarize(changed: Record<string, unknown>, ofLine: Record<string, unknown> = {}): ReturnType<typeof summarizeCharge> {
  const answer = samplePeriodReport() as { period: Record<string, unknown> };
  const report = periodReport.parse({ ...answer, ...changed, period: { ...answer.period, ...ofLine } });
  return summarizeCharge({ report, facts: reshapePeriodFacts(report) });
}

test('the refunded and remaining amounts come from the report’s sum, else from the period', () => {
  expect(summarize({})).toMatchObject({ refunded: '4.00', left: '6.00', refundedField: 'refunds.refunded_to_date_usd' });
  expect(summarize({ refunds: null })).toMatchObject({
    refunded: '0.00',
    left: '10.00',
    refundedField: 'period.refund.refunded_amount_usd',
    sentence: 'Collected. Nothing was refunded.',
  });
});

test('without reported refunds, the refunded and remaining amounts are not reported', () => {
  expect(summarize({ refunds: null }, { refund: null })).toMatchObject({
    state: 'paid',
    refunded: null,
    left: null,
    sentence: 'Collected. Invo doesn’t report whether anything was refunded.',
  });
  expect(summarize({ refunds: null }, { refund: null, status: 'refunded' })).toMatchObject({
    state: 'refunded',
    refunded: null,
    left: null,
  });
});

test('a period that was not paid has no remaining amount', () => {
  expect(summarize({}, { paid_at: null, status: 'failed', attribution: null }).left).toBeNull();
});
