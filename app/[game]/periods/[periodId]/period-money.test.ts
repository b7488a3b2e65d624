import { expect, test } from 'vitest';
import { samplePeriodReport } from '#e2e/support/invo/sample-answers.ts';
import { type PeriodReport, periodReport } from '#lib/invo/routes/period-report.ts';
import { partnerSteps, recipientSteps } from './period-money.tsx';

const LEGS = {
  invo_fee_usd: '5.00',
  invo_fee_percent: '10.00',
  partner_revenue_usd: '31.50',
  partner_revenue_settled_usd: '45.00',
  partner_revenue_reversed_usd: '13.50',
  partner_revenue_percent: '90.00',
  partner_leg_reversed: false,
  pass_through_fees_usd: '0.75',
  chargeback_fees_usd: '15.00',
  disputed_amount_held_usd: '20.00',
  partner_revenue_after_fees_usd: '-5.75',
  source: null,
  note: null,
};

function reportOf(changed: Record<string, unknown>): PeriodReport {
  return periodReport.parse({ ...(samplePeriodReport() as Record<string, unknown>), fee_legs: LEGS, ...changed });
}

const COARSE = { basis: 'period_row', refunded_to_date_usd: '4.00', events: [] };

const amountsOf = (steps: ReturnType<typeof partnerSteps>): Record<string, string | null> =>
  Object.fromEntries(steps.map(({ label, amount }) => [label, amount]));

test('deductions are negative, missing figures stay not reported, and a negative result is not clamped', () => {
  expect(amountsOf(partnerSteps(reportOf({})))).toMatchObject({
    'Invo fee, not refundable': '-5.00',
    'Partner revenue, settled': '45.00',
    'Partner revenue, reversed by refunds': '-13.50',
    'Partner revenue, net of reversals': '31.50',
    'International card fee': '-0.75',
    'Chargeback fees': '-15.00',
    'Held for disputes': '-20.00',
    'Card fee on refunds, charged to you': null,
    'Your revenue after fees, before the recipient': '-5.75',
  });
});

test('without the report’s figures the period’s own are used, and the fees are not reported', () => {
  expect(amountsOf(partnerSteps(reportOf({ fee_legs: null })))).toMatchObject({
    'Invo fee, not refundable': '-1.00',
    'Partner revenue, settled': '9.00',
    'Chargeback fees': null,
    'Your revenue after fees, before the recipient': null,
  });
});

test('the recipient’s reversal is the sum of all refunds', () => {
  const event = { ...(samplePeriodReport() as { refunds: { events: Record<string, unknown>[] } }).refunds.events[0] };
  const events = [event, { ...event, reversed_attributed_usd: '0.225', refunded_at: '2026-03-10T10:00:00Z' }];
  const steps = amountsOf(recipientSteps(reportOf({ refunds: { basis: 'refund_receipts', events } })));
  expect(steps).toMatchObject({ 'Attribution base': '9.00', 'Attributed to the recipient': '1.125', 'Reversed by refunds': '-0.675' });
});

test('a refund without receipts leaves the recipient’s reversal not reported, not zero', () => {
  expect(amountsOf(recipientSteps(reportOf({ refunds: COARSE })))['Reversed by refunds']).toBeNull();
});

test('a refund without receipts leaves the partner’s reversal not reported, not zero', () => {
  const fee_legs = { ...LEGS, partner_revenue_reversed_usd: '0.00', partner_revenue_usd: '45.00' };
  const steps = partnerSteps(reportOf({ refunds: COARSE, fee_legs }));
  expect(amountsOf(steps)).toMatchObject({ 'Partner revenue, reversed by refunds': null, 'Partner revenue, net of reversals': '45.00' });
  expect(steps.filter(({ note }) => note !== undefined).map(({ label, note }) => [label, note])).toEqual(
    expect.arrayContaining([
      ['Partner revenue, reversed by refunds', 'for a refund without receipts'],
      ['Partner revenue, net of reversals', 'without the reversal by that refund'],
    ]),
  );
  expect(amountsOf(partnerSteps(reportOf({ refunds: COARSE })))['Partner revenue, reversed by refunds'], 'a reported reversal').toBe(
    '-13.50',
  );
  expect(amountsOf(partnerSteps(reportOf({ fee_legs })))['Partner revenue, reversed by refunds'], 'with receipts').toBe('0.00');
});

test.each<[string, Record<string, unknown>, string | null, string]>([
  ['a period without reported refunds', { refunds: null, period: { refund: null } }, null, 'Invo doesn’t list the refunds'],
  ['a period without refunds', { refunds: null }, '0.00', 'no refunds'],
  [
    'a refund that is reported but not listed',
    { refunds: { refunded_to_date_usd: '4.00', events: [] } },
    null,
    'Invo doesn’t list the refunds',
  ],
])('%s has its own reversal and note', (_, { refunds, period: changed }, amount, note) => {
  const { period } = samplePeriodReport() as { period: Record<string, unknown> };
  const steps = recipientSteps(reportOf({ refunds, period: { ...period, ...(changed as object) } }));
  const reversed = steps.find(({ label }) => label === 'Reversed by refunds');
  expect([reversed?.amount, reversed?.note]).toEqual([amount, note]);
});

test('a period that was not paid shows its price, not a charge', () => {
  const { period } = samplePeriodReport() as { period: Record<string, unknown> };
  const unpaid = { ...period, status: 'failed', paid_at: null, attribution: null };
  const steps = partnerSteps(reportOf({ period: unpaid }));
  expect(steps[0]).toMatchObject({ label: 'Price, not collected', amount: '10.00' });
  expect(steps.at(-1)).toMatchObject({ label: 'After fees, nothing collected', amount: '-5.75' });
});

test('every figure carries its field name, percentages too', () => {
  const names = (steps: ReturnType<typeof partnerSteps>) =>
    steps.flatMap(({ field, noteField }) => [field, ...(noteField ? [noteField] : [])]);
  expect(names(partnerSteps(reportOf({})))).toEqual(
    expect.arrayContaining(['fee_legs.invo_fee_usd', 'fee_legs.invo_fee_percent', 'fee_legs.partner_revenue_percent']),
  );
  expect(names(partnerSteps(reportOf({ fee_legs: null })))).toEqual(
    expect.arrayContaining([
      'period.invo_fee_usd',
      'period.partner_revenue_settled_usd',
      'period.partner_revenue_reversed_usd',
      'period.partner_revenue_usd',
    ]),
  );
  expect(names(recipientSteps(reportOf({})))).toContain('attribution.percent_at_renewal');
});

test('a period without a recipient has no recipient steps', () => {
  const { period } = samplePeriodReport() as { period: Record<string, unknown> };
  expect(recipientSteps(reportOf({ period: { ...period, attribution: null } }))).toEqual([]);
});
