import { describe, expect, it } from 'vitest';
import { findPeriodMismatch, findSubscriptionMismatch } from './echo.ts';
import { periodReport } from './period.ts';
import { readerOf } from './reader.ts';
import { subscriptionAttribution } from './subscription.ts';
import { sampleCycles, samplePeriod, withValue } from './testing/sample-answers.ts';

const SUBSCRIPTION = 'SUB_1767225600_AAAAAAAA';
const readCycles = readerOf(subscriptionAttribution, (value) => findSubscriptionMismatch(SUBSCRIPTION, 0, value));
const readPeriod = readerOf(periodReport, (value) => findPeriodMismatch(7001, value));
const pathOf = (reading: ReturnType<typeof readCycles> | ReturnType<typeof readPeriod>): string =>
  reading.isSound ? 'nowhere' : reading.path;

describe('the cycles of a subscription', () => {
  it('hold never-paid cycles with no attribution beside paid ones', () => {
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
  ])('may come without %s', (path) => {
    expect(pathOf(readCycles(withValue(sampleCycles(), path, null)))).toBe('nowhere');
  });
  it.each([
    ['periods.1.invo_fee_usd', null],
    ['periods.1.paid_at', null],
    ['periods.1.attribution.attributed_amount_usd', 1.125],
    ['periods.1.attribution.settled_by_invo', true],
    ['current_revenue_share.is_payout_basis', true],
    ['lifetime_totals.net_attributed_usd', 5],
    ['attribution_notice.payer', 'invo'],
    ['subscription.subscription_id', 'SUB_2'],
    ['periods.0.subscription_id', 'SUB_2'],
    ['pagination.offset', 50],
  ])('are refused when %s is %j', (path, value) => {
    expect(pathOf(readCycles(withValue(sampleCycles(), path, value)))).toBe(path);
  });
});

describe('the page of a period', () => {
  it('keeps a negative revenue after fees and calls what is absent null, never zero', () => {
    expect(readPeriod(samplePeriod())).toMatchObject({
      isSound: true,
      value: { fee_legs: { partner_revenue_after_fees_usd: '-0.25', card_fee_charged_to_partner_usd: null } },
    });
  });
  it.each(['subscription', 'fee_legs', 'refunds', 'charge', 'refunds.basis'])('may come without %s', (path) => {
    expect(pathOf(readPeriod(withValue(samplePeriod(), path, undefined)))).toBe('nowhere');
  });
  it.each([
    ['period.period_id', 7002],
    ['fee_legs.invo_fee_usd', 1],
    ['refunds.events.0.settled_by_invo', true],
    ['refunds.events.0.refunded_amount_usd', '1e5'],
    ['attribution_notice.document_type', 'remittance_advice'],
  ])('is refused when %s is %j', (path, value) => {
    expect(pathOf(readPeriod(withValue(samplePeriod(), path, value)))).toBe(path);
  });
});
