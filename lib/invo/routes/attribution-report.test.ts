import { describe, expect, it, test } from 'vitest';
import { sampleReport, sampleWindow, withValue } from '#e2e/support/invo/sample-answers.ts';
import { readerOf } from '../shapes/fields.ts';
import { type AttributionReport, attributionReport, findReportMismatch, reshapeRecipients } from './attribution-report.ts';

const read = readerOf(attributionReport, () => null);

function refusedAt(answer: unknown): string {
  const reading = read(answer);
  return reading.isSound ? 'nowhere' : reading.path;
}

const required = [
  'report.game_id',
  'report.generated_at',
  'report.window.start',
  'report.window.end',
  'recipients',
  'totals',
  'pagination',
  'attribution_notice',
  ...['total_count', 'offset', 'has_more'].map((field) => `pagination.${field}`),
  ...[
    'renewals_settled',
    'settled_gross_usd',
    'invo_fee_usd',
    'partner_revenue_settled_usd',
    'partner_revenue_reversed_usd',
    'partner_revenue_usd',
    'renewals_with_attribution',
    'renewals_without_attribution',
    'unattributed_reasons',
    'gross_attributed_usd',
    'reversed_attributed_usd',
    'net_attributed_usd',
    'renewals_settled_then_fully_reversed',
    'refund_events_in_window',
    'reversals_without_receipts',
    'recipient_count',
  ].map((field) => `totals.${field}`),
  ...['settled_by_invo', 'invo_has_paid_no_recipient', 'document_type', 'not_a_remittance_advice', 'payer'].map(
    (field) => `attribution_notice.${field}`,
  ),
  ...[
    'recipient.player_id',
    'renewal_count',
    'subscription_count',
    'gross_attributed_usd',
    'reversed_attributed_usd',
    'net_attributed_usd',
    'periods',
    'reversals',
    'reversal_count',
  ].map((field) => `recipients.0.${field}`),
  ...[
    'period_id',
    'subscription_id',
    'paid_at',
    'amount_usd',
    'invo_fee_usd',
    'partner_revenue_usd',
    'partner_revenue_settled_usd',
    'partner_revenue_reversed_usd',
    'attribution',
    'attribution.recipient_player_id',
    'attribution.percent_at_renewal',
    'attribution.base_usd',
    'attribution.attributed_amount_usd',
  ].map((field) => `recipients.0.periods.0.${field}`),
  ...[
    'period_id',
    'subscription_id',
    'paid_at',
    'originally_attributed_usd',
    'reversed_attributed_usd',
    'reversal_basis',
    'refund_events',
  ].map((field) => `recipients.0.reversals.0.${field}`),
  ...[
    'refunded_at',
    'refunded_amount_usd',
    'cumulative_refunded_before_usd',
    'cumulative_refunded_after_usd',
    'reversed_attributed_usd',
    'is_full_refund',
  ].map((field) => `recipients.0.reversals.0.refund_events.0.${field}`),
];

const tolerated = [
  'status',
  'report.type',
  'report.filters',
  'report.derivation',
  'report.known_limits',
  'report.window.end_exclusive',
  'pagination.limit',
  'attribution_notice.statement',
  'totals.settled_by_invo',
  'recipients.0.settled_by_invo',
  'recipients.0.periods_truncated',
  'recipients.0.first_paid_at',
  'recipients.0.recipient.player_email',
  'recipients.0.recipient.player_name',
  'recipients.0.recipient.identity_id',
  'recipients.0.recipient.resolved',
  ...[
    'status',
    'item_id',
    'item_name',
    'funding',
    'refund',
    'reconciliation',
    'transaction_id',
    'mint_order_id',
    'settled_by_invo',
    'period_seq',
    'attribution.settled_by_invo',
  ].map((field) => `recipients.0.periods.0.${field}`),
  ...[
    'partner_revenue_reversed_usd',
    'amount_usd',
    'status',
    'note',
    'refunded_to_date_usd',
    'nets_to_zero_in_window',
    'settled_in_this_window',
  ].map((field) => `recipients.0.reversals.0.${field}`),
  'recipients.0.reversals.0.refund_events.0.partner_revenue_reversed_usd',
  'recipients.0.reversals.0.refund_events.0.settled_by_invo',
];

describe('the report as it arrives', () => {
  it('a report is read with Invo’s field names, IDs as text and instants in UTC', () => {
    const reading = read(sampleReport());
    if (!reading.isSound) throw new Error(reading.path);
    expect(reading.value.report.game_id).toBe('77');
    expect(reading.value.recipients[0]?.periods[0]).toMatchObject({
      item_id: '55',
      paid_at: '2026-03-01T23:00:01.250Z',
      attribution: { percent_at_renewal: '12.5', attributed_amount_usd: '1.125' },
    });
  });
  it.each(required)('a report is refused without %s', (path) => {
    expect(refusedAt(withValue(sampleReport(), path, undefined))).toBe(path);
    expect(refusedAt(withValue(sampleReport(), path, null))).toBe(path);
  });
  it.each(tolerated)('a report is read without %s', (path) => {
    expect(refusedAt(withValue(sampleReport(), path, undefined))).toBe('nowhere');
    expect(refusedAt(withValue(sampleReport(), path, null))).toBe('nowhere');
  });
  it.each(required.filter((path) => path.endsWith('_usd')))('a report is refused when %s is a JSON number', (path) => {
    expect(refusedAt(withValue(sampleReport(), path, 5.25))).toBe(path);
  });
  it.each([
    'totals',
    'recipients.0',
    'recipients.0.periods.0',
    'recipients.0.periods.0.attribution',
    'recipients.0.reversals.0.refund_events.0',
    'attribution_notice',
  ])('a report is refused when %s says that Invo paid a recipient', (path) => {
    expect(refusedAt(withValue(sampleReport(), `${path}.settled_by_invo`, true))).toBe(`${path}.settled_by_invo`);
  });
  it('a report is refused when a line belongs to another recipient than the one it is listed under', () => {
    expect(refusedAt(withValue(sampleReport(), 'recipients.0.periods.0.attribution.recipient_player_id', 43))).toBe(
      'recipients.0.periods.0.attribution.recipient_player_id',
    );
  });
  it.each([['recipients.0.recipient.player_id'], ['recipients.0.periods.0.period_id'], ['recipients.0.renewal_count']])(
    'a report is refused when %s is beyond 2^53-1',
    (path) => {
      expect(refusedAt(withValue(sampleReport(), path, 2 ** 53))).toBe(path);
    },
  );
  it('a report includes unknown reasons, statuses and bases', () => {
    const odd = withValue(withValue(sampleReport(), 'recipients.0.reversals.0.reversal_basis', 'moon'), 'totals.unattributed_reasons', {
      new_reason: 3,
    });
    const reading = read(withValue(odd, 'recipients.0.periods.0.status', 'glowing'));
    if (!reading.isSound) throw new Error(reading.path);
    expect(reading.value.totals.unattributed_reasons).toEqual({ new_reason: 3 });
    expect(reading.value.recipients[0]).toMatchObject({ periods: [{ status: 'glowing' }], reversals: [{ reversal_basis: 'moon' }] });
  });
  it('missing lines are detected by the count when Invo doesn’t report them', () => {
    const silent = withValue(
      withValue(sampleReport(), 'recipients.0.periods_truncated', undefined),
      'recipients.0.reversals_truncated',
      undefined,
    );
    expect(read(structuredClone(silent))).toMatchObject({
      value: { recipients: [{ periods_truncated: false, reversals_truncated: false }] },
    });
    expect(read(withValue(silent, 'recipients.0.renewal_count', 2))).toMatchObject({
      value: { recipients: [{ periods_truncated: true, reversals_truncated: false }] },
    });
  });
  it.each([[null], [[]], ['x'], [7], [{ recipients: Array(101).fill({}) }]])('a report of %j is refused', (answer) => {
    expect(read(answer).isSound).toBe(false);
  });
});

describe('the request a report answers', () => {
  const requested = { ...sampleWindow, offset: 0, recipientPlayerId: null, subscriptionId: null, gameId: '77' };
  const mismatch = (answer: unknown, question: Partial<typeof requested> | Record<string, unknown> = {}): string | null =>
    findReportMismatch({ ...requested, ...question }, attributionReport.parse(answer))?.path ?? null;

  it('a report matches its request however the instants are written', () => {
    expect(mismatch(sampleReport())).toBeNull();
  });
  it.each([
    ['report.window.start', '2026-03-01T00:00:00.001Z'],
    ['report.window.end', '2026-04-01T00:00:00+01:00'],
    ['report.game_id', '78'],
    ['report.filters.recipient_player_id', 42],
    ['report.filters.subscription_id', 'SUB_1'],
    ['pagination.offset', 100],
    ['pagination.limit', 101],
    ['pagination.limit', 0],
    ['report.window.end_exclusive', '2026-04-02T00:00:00Z'],
  ])('a report doesn’t match its request when %s is %s', (path, value) => {
    expect(mismatch(withValue(sampleReport(), path, value))).toBe(path);
  });
  it('a report of any game matches while none is pinned', () => {
    expect(mismatch(withValue(sampleReport(), 'report.game_id', 'other'), { gameId: null })).toBeNull();
  });
  it('a report doesn’t match when a requested filter was not applied, with or without an echo', () => {
    expect(mismatch(sampleReport(), { recipientPlayerId: 41 })).toBe('report.filters.recipient_player_id');
    expect(mismatch(withValue(sampleReport(), 'report.filters', undefined), { recipientPlayerId: 41 })).toBe(
      'recipients.0.recipient.player_id',
    );
    expect(mismatch(withValue(sampleReport(), 'report.filters', undefined), { subscriptionId: 'SUB_2' })).toBe('recipients.0');
    expect(
      mismatch(withValue(sampleReport(), 'report.filters', undefined), {
        recipientPlayerId: 42,
        subscriptionId: 'SUB_1767225600_AAAAAAAA',
      }),
    ).toBeNull();
  });
});

type Event = AttributionReport['recipients'][number]['reversals'][number]['refund_events'][number];

test('refunds of one instant follow each other by what was refunded before them, however Invo lists them', () => {
  const [event] = attributionReport.parse(sampleReport()).recipients[0]?.reversals[0]?.refund_events ?? [];
  const named = (refunded_at: string, before: string): Event => ({
    ...(event as Event),
    refunded_at,
    cumulative_refunded_before_usd: before,
  });
  const listed = [named('2026-03-09T10:00:00Z', '10.00'), named('2026-03-09T10:00:00Z', '2.00'), named('2026-03-08T10:00:00Z', '0.00')];
  const report = attributionReport.parse(withValue(sampleReport(), 'recipients.0.reversals.0.refund_events', listed));
  const [recipient] = reshapeRecipients(report);
  const events = recipient?.reversals[0]?.refund_events ?? [];
  expect(events.map((each) => each.cumulative_refunded_before_usd)).toEqual(['0.00', '2.00', '10.00']);
});
