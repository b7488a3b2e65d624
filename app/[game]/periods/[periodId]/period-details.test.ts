import { expect, test } from 'vitest';
import { samplePeriodReport } from '#e2e/support/invo/sample-answers.ts';
import { periodReport } from '#lib/invo/routes/period-report.ts';
import { listAllFields } from './period-details.tsx';

const RECIPIENT = { player_id: 42, resolved: true, player_email: 'ada@example.test', player_name: 'Ada', identity_id: 'ID_9' };

function fieldValues(canSeeEmails = true): Record<string, string | null> {
  const answer = samplePeriodReport() as { period: { attribution: object } };
  const attribution = { ...answer.period.attribution, recipient: RECIPIENT };
  const report = periodReport.parse({ ...answer, period: { ...answer.period, attribution } });
  return Object.fromEntries(listAllFields({ report }, canSeeEmails).map(({ name, value }) => [name, value]));
}

// Document 2: periods[] fields and the period report, without the notice and the single refunds.
const DOCUMENTED = {
  period:
    'period_id subscription_id period_seq item_id item_name status period_start period_end paid_at amount_usd invo_fee_usd partner_revenue_usd partner_revenue_settled_usd partner_revenue_reversed_usd partner_leg_reversed transaction_id mint_order_id attribution_unavailable_reason settled_by_invo',
  'period.funding': 'amount_coins balance_applied_coins card_charged_usd rail pcstore_charged_usd',
  'period.refund': 'refunded_amount_usd refunded_at',
  'period.attribution': 'recipient_player_id percent_at_renewal base_usd attributed_amount_usd settled_by_invo',
  'period.attribution.recipient': 'player_id resolved player_email player_name identity_id',
  'period.reconciliation': 'checked expected_base_usd recorded_base_usd base_matches_settled_fee',
  fee_legs:
    'invo_fee_usd invo_fee_percent partner_revenue_usd partner_revenue_settled_usd partner_revenue_reversed_usd partner_revenue_percent partner_leg_reversed pass_through_fees_usd chargeback_fees_usd disputed_amount_held_usd card_fee_charged_to_partner_usd partner_revenue_after_fees_usd source note',
  refunds: 'refund_count refunded_to_date_usd latest_refund_at basis',
  charge: 'attempts_for_period paid_attempt_no paid_attempt_at outcome',
  subscription: 'subscription_id status item_id item_name current_amount_usd interval interval_count created_at',
};

test('every documented field is listed by its name', () => {
  const names = Object.entries(DOCUMENTED).flatMap(([path, fields]) => fields.split(' ').map((field) => `${path}.${field}`));
  expect(Object.keys(fieldValues())).toEqual(expect.arrayContaining([...names, 'current_revenue_share']));
});

test('values are unchanged, and absent fields are null', () => {
  expect(fieldValues()).toMatchObject({
    'period.item_id': '55',
    'period.paid_at': '2026-03-01T23:00:01.250Z',
    'period.reconciliation.checked': 'true',
    'period.settled_by_invo': 'false',
    'fee_legs.invo_fee_percent': '10',
    'fee_legs.source': null,
    current_revenue_share: null,
  });
});

test('an email is masked for a role that can’t read emails', () => {
  expect(fieldValues()['period.attribution.recipient.player_email']).toBe('ada@example.test');
  expect(fieldValues(false)['period.attribution.recipient.player_email']).toBe('a•••@e•••.test');
});
