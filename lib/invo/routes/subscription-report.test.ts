import { describe, expect, it } from 'vitest';
import { sampleCycles, samplePeriodReport, withValue } from '#e2e/support/invo/sample-answers.ts';
import { readerOf } from '../shapes/fields.ts';
import { findPeriodMismatch, periodReport } from './period-report.ts';
import { findSubscriptionMismatch, subscriptionAttribution } from './subscription-report.ts';

const SUBSCRIPTION = 'SUB_1767225600_AAAAAAAA';
const readCycles = readerOf(subscriptionAttribution, (value) => findSubscriptionMismatch(SUBSCRIPTION, 0, value));
const readPeriod = readerOf(periodReport, (value) => findPeriodMismatch(7001, value));
const pathOf = (reading: ReturnType<typeof readCycles> | ReturnType<typeof readPeriod>): string =>
  reading.isSound ? 'nowhere' : reading.path;

describe('the cycles of a subscription', () => {
  it('the cycles of a subscription list never-paid ones without attribution beside paid ones', () => {
    expect(readCycles(sampleCycles())).toMatchObject({
      isSound: true,
      value: { periods: [{ paid_at: null, attribution: null }, { amount_usd: '10.00' }] },
    });
  });
  it.each([
    'current_revenue_share',
    'lifetime_totals',
    'lifetime_totals.recipient_player_ids',
    'subscription.status',
    'periods.1.attribution',
  ])('the cycles of a subscription are read without %s', (path) => {
    expect(pathOf(readCycles(withValue(sampleCycles(), path, null)))).toBe('nowhere');
  });
  it.each([
    ['periods.1.invo_fee_usd', null],
    ['periods.1.paid_at', null],
    ['periods.1.attribution.attributed_amount_usd', 1.125],
    ['periods.1.attribution.settled_by_invo', true],
    ['current_revenue_share.is_payout_basis', true],
    ['attribution_notice.payer', 'invo'],
    ['subscription.subscription_id', 'SUB_2'],
    ['periods.0.subscription_id', 'SUB_2'],
    ['pagination.offset', 50],
  ])('the cycles of a subscription are refused when %s is %j', (path, value) => {
    expect(pathOf(readCycles(withValue(sampleCycles(), path, value)))).toBe(path);
  });
});

describe('a paid cycle without its amounts', () => {
  const AMOUNTS = ['amount_usd', 'invo_fee_usd', 'partner_revenue_usd', 'partner_revenue_settled_usd', 'partner_revenue_reversed_usd'];
  const unreachable = (reason: string | null, attribution: unknown = null): unknown => {
    const answer = withValue(
      withValue(sampleCycles(), 'periods.1.attribution_unavailable_reason', reason),
      'periods.1.attribution',
      attribution,
    );
    return AMOUNTS.reduce((changed, field) => withValue(changed, `periods.1.${field}`, null), answer);
  };
  it.each(['spend_order_not_found', 'attribution_malformed', 'a_new_reason'])(
    'a paid cycle without its amounts is read where Invo says %s',
    (reason) => {
      expect(readCycles(unreachable(reason))).toMatchObject({
        isSound: true,
        value: { periods: [{}, { paid_at: '2026-03-01T23:00:01.250Z', amount_usd: null, attribution: null }] },
      });
    },
  );
  it.each([null, ''])('a paid cycle without its amounts is refused where Invo gives no reason: %j', (reason) => {
    expect(pathOf(readCycles(unreachable(reason)))).toBe('periods.1.amount_usd');
  });
  it('a paid cycle without its amounts is refused where something is attributed', () => {
    const attribution = { recipient_player_id: 42, percent_at_renewal: '12.5', base_usd: '9.00', attributed_amount_usd: '1.125' };
    expect(pathOf(readCycles(unreachable('spend_order_not_found', attribution)))).toBe('periods.1.amount_usd');
  });
  it('a paid cycle without its amounts is refused where one is unreadable', () => {
    expect(pathOf(readCycles(withValue(unreachable('spend_order_not_found'), 'periods.1.invo_fee_usd', 1)))).toBe('periods.1.invo_fee_usd');
  });
});

describe('fields that decide nothing', () => {
  it.each([
    ['lifetime_totals.net_attributed_usd', 5],
    ['lifetime_totals', 'too many'],
    ['subscription.created_at', ''],
    ['subscription.interval_count', '1'],
    ['subscription.current_amount_usd', 10],
    ['current_revenue_share.updated_at', ''],
    ['periods.1.item_id', {}],
    ['periods.1.reconciliation.recorded_base_usd', 9],
    ['periods.1.attribution.recipient', { player_id: 'p' }],
  ])('a field that decides nothing doesn’t hide the cycles: %s %j', (path, value) => {
    expect(pathOf(readCycles(withValue(sampleCycles(), path, value)))).toBe('nowhere');
  });
  it.each([
    ['that do not fit', 'lifetime_totals.net_attributed_usd', 5, 'unreadable'],
    ['that Invo does not give', 'lifetime_totals', null, null],
  ])('lifetime totals %s are read as that', (_, path, value, reported) => {
    const reading = readCycles(withValue(sampleCycles(), path, value));
    expect(reading.isSound && reading.value.lifetime_totals).toBe(reported);
  });
  it.each([
    ['fee_legs.invo_fee_percent', 'ten'],
    ['charge.paid_attempt_at', ''],
    ['charge.attempts_for_period', '1'],
    ['charge', 'once'],
    ['subscription', {}],
    ['period.mint_order_id', ''],
  ])('a field that decides nothing doesn’t hide the period: %s %j', (path, value) => {
    expect(pathOf(readPeriod(withValue(samplePeriodReport(), path, value)))).toBe('nowhere');
  });
});

describe('the page of a period', () => {
  it('a period can have a negative revenue after fees, and absent fields are null, never zero', () => {
    expect(readPeriod(samplePeriodReport())).toMatchObject({
      isSound: true,
      value: { fee_legs: { partner_revenue_after_fees_usd: '-0.25', card_fee_charged_to_partner_usd: null } },
    });
  });
  it.each(['subscription', 'fee_legs', 'refunds', 'charge', 'refunds.basis'])('a period is read without %s', (path) => {
    expect(pathOf(readPeriod(withValue(samplePeriodReport(), path, undefined)))).toBe('nowhere');
  });
  it.each([
    ['period.period_id', 7002],
    ['fee_legs.invo_fee_usd', 1],
    ['refunds.events.0.settled_by_invo', true],
    ['refunds.events.0.refunded_amount_usd', '1e5'],
    ['attribution_notice.document_type', 'remittance_advice'],
  ])('a period is refused when %s is %j', (path, value) => {
    expect(pathOf(readPeriod(withValue(samplePeriodReport(), path, value)))).toBe(path);
  });
});
