import { expect, test } from 'vitest';
import { periodReport, reshapePeriodFacts } from '#lib/invo/routes/period-report.ts';
import { samplePeriodReport } from '#lib/invo/testing/sample-answers.ts';
import { tellCharge } from './tell-charge.ts';

function tell(changed: Record<string, unknown>, ofLine: Record<string, unknown> = {}): ReturnType<typeof tellCharge> {
  const answer = samplePeriodReport() as { period: Record<string, unknown> };
  const report = periodReport.parse({ ...answer, ...changed, period: { ...answer.period, ...ofLine } });
  return tellCharge({ report, facts: reshapePeriodFacts(report) });
}

test('what was refunded and what is left are told from Invo’s sum, else from the line', () => {
  expect(tell({})).toMatchObject({ refunded: '4.00', left: '6.00', refundedField: 'refunds.refunded_to_date_usd' });
  expect(tell({ refunds: null })).toMatchObject({
    refunded: '0.00',
    left: '10.00',
    refundedField: 'period.refund.refunded_amount_usd',
    sentence: 'It was collected and nothing was given back.',
  });
});

test('no word about refunds is neither nothing refunded nor all of it left', () => {
  expect(tell({ refunds: null }, { refund: null })).toMatchObject({
    state: 'paid',
    refunded: null,
    left: null,
    sentence: 'It was collected. Whether anything was given back, Invo does not tell.',
  });
  expect(tell({ refunds: null }, { refund: null, status: 'refunded' })).toMatchObject({ state: 'refunded', refunded: null, left: null });
});

test('of what was never paid nothing is left', () => {
  expect(tell({}, { paid_at: null, status: 'failed', attribution: null }).left).toBeNull();
});
