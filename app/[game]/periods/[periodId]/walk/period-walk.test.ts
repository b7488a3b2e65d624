import { expect, test } from 'vitest';
import { type PeriodReport, periodReport } from '#lib/invo/routes/period-report.ts';
import { samplePeriodReport } from '#lib/invo/testing/sample-answers.ts';
import { partnerSteps } from './period-walk.ts';
import { recipientSteps } from './recipient-walk.ts';

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

const told = (steps: ReturnType<typeof partnerSteps>): Record<string, string | null> =>
  Object.fromEntries(steps.map(({ label, amount }) => [label, amount]));

test('what was taken is below zero, what is not recorded stays so, and less than nothing is not clamped', () => {
  expect(told(partnerSteps(reportOf({})))).toMatchObject({
    'Invo fee, never given back': '-5.00',
    'Partner leg, settled': '45.00',
    'Partner leg, reversed by refunds': '-13.50',
    'Partner leg, net of reversal': '31.50',
    'International card fee passed on': '-0.75',
    'Chargeback fees': '-15.00',
    'Held while a charge is disputed': '-20.00',
    'Card fee on refunds, charged to you': null,
    'You keep after fees, before the recipient': '-5.75',
  });
});

test('without the legs of the report the line itself speaks, and the fees are not recorded', () => {
  expect(told(partnerSteps(reportOf({ fee_legs: null })))).toMatchObject({
    'Invo fee, never given back': '-1.00',
    'Partner leg, settled': '9.00',
    'Chargeback fees': null,
    'You keep after fees, before the recipient': null,
  });
});

test('the recipient is reversed by all refunds together', () => {
  const event = { ...(samplePeriodReport() as { refunds: { events: Record<string, unknown>[] } }).refunds.events[0] };
  const events = [event, { ...event, reversed_attributed_usd: '0.225', refunded_at: '2026-03-10T10:00:00Z' }];
  const steps = told(recipientSteps(reportOf({ refunds: { basis: 'refund_receipts', events } })));
  expect(steps).toMatchObject({ 'Attribution base': '9.00', 'Attributed to the recipient': '1.125', 'Reversed by refunds': '-0.675' });
});

test('a coarse refund says nothing of the recipient’s part: unknown, not zero', () => {
  expect(told(recipientSteps(reportOf({ refunds: COARSE })))['Reversed by refunds']).toBeNull();
});

test('a coarse refund shows no clawback from the partner: that is not recorded, not zero', () => {
  const fee_legs = { ...LEGS, partner_revenue_reversed_usd: '0.00', partner_revenue_usd: '45.00' };
  const steps = partnerSteps(reportOf({ refunds: COARSE, fee_legs }));
  expect(told(steps)).toMatchObject({ 'Partner leg, reversed by refunds': null, 'Partner leg, net of reversal': '45.00' });
  expect(steps.filter(({ note }) => note !== undefined).map(({ label, note }) => [label, note])).toEqual(
    expect.arrayContaining([
      ['Partner leg, reversed by refunds', 'for a refund without receipts'],
      ['Partner leg, net of reversal', 'as Invo tells it, without what that refund took back'],
    ]),
  );
  expect(told(partnerSteps(reportOf({ refunds: COARSE })))['Partner leg, reversed by refunds'], 'a clawback that is told').toBe('-13.50');
  expect(told(partnerSteps(reportOf({ fee_legs })))['Partner leg, reversed by refunds'], 'with receipts').toBe('0.00');
});

test.each<[string, Record<string, unknown>, string | null, string]>([
  ['no word about refunds', { refunds: null, period: { refund: null } }, null, 'Invo does not list the refunds'],
  ['a line that was not refunded', { refunds: null }, '0.00', 'no refund so far'],
  [
    'a refund that is told and not listed',
    { refunds: { refunded_to_date_usd: '4.00', events: [] } },
    null,
    'Invo does not list the refunds',
  ],
])('%s is told as what it is', (_, { refunds, period: changed }, amount, note) => {
  const { period } = samplePeriodReport() as { period: Record<string, unknown> };
  const steps = recipientSteps(reportOf({ refunds, period: { ...period, ...(changed as object) } }));
  const reversed = steps.find(({ label }) => label === 'Reversed by refunds');
  expect([reversed?.amount, reversed?.note]).toEqual([amount, note]);
});

test('what was never paid is a price, and no charge', () => {
  const { period } = samplePeriodReport() as { period: Record<string, unknown> };
  const unpaid = { ...period, status: 'failed', paid_at: null, attribution: null };
  const steps = partnerSteps(reportOf({ period: unpaid }));
  expect(steps[0]).toMatchObject({ label: 'Price, never collected', amount: '10.00' });
  expect(steps.at(-1)).toMatchObject({ label: 'After fees; nothing was paid to keep', amount: '-5.75' });
});

test('every figure bears the name of the field it came from, rates too', () => {
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

test('where nobody earned anything there are no steps', () => {
  const { period } = samplePeriodReport() as { period: Record<string, unknown> };
  expect(recipientSteps(reportOf({ period: { ...period, attribution: null } }))).toEqual([]);
});
