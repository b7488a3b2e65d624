import { expect, test } from 'vitest';
import { type PeriodReport, periodReport } from '../../../../lib/invo/period.ts';
import { samplePeriod } from '../../../../lib/invo/testing/sample-answers.ts';
import { partnerSteps, recipientSteps } from './period-walk.ts';

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
  return periodReport.parse({ ...(samplePeriod() as Record<string, unknown>), fee_legs: LEGS, ...changed });
}

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
  const event = { ...(samplePeriod() as { refunds: { events: Record<string, unknown>[] } }).refunds.events[0] };
  const events = [event, { ...event, reversed_attributed_usd: '0.225', refunded_at: '2026-03-10T10:00:00Z' }];
  const steps = told(recipientSteps(reportOf({ refunds: { basis: 'refund_receipts', events } })));
  expect(steps).toMatchObject({ 'Attribution base': '9.00', 'Attributed to the recipient': '1.125', 'Reversed by refunds': '-0.675' });
});

test('a coarse refund says nothing of the recipient’s part: unknown, not zero', () => {
  const refunds = { basis: 'period_row', refunded_to_date_usd: '4.00', events: [] };
  expect(told(recipientSteps(reportOf({ refunds })))['Reversed by refunds']).toBeNull();
});

test('where nobody earned anything there are no steps', () => {
  const { period } = samplePeriod() as { period: Record<string, unknown> };
  expect(recipientSteps(reportOf({ period: { ...period, attribution: null } }))).toEqual([]);
});
