import { describe, expect, test } from 'vitest';
import { allRecipients, type Body, openInvo, REPORT, units } from '../testing/test-client.ts';

const OCTOBER = 'start=2026-10-01&end=2026-11-01';

describe('the documented shape', () => {
  test('has every field of report, totals, recipient, line, reversal and event', async () => {
    const invo = await openInvo();
    const body = await invo.report('2026-10-01', '2026-10-02');
    expect(Object.keys(body)).toEqual(['status', 'attribution_notice', 'report', 'totals', 'recipients', 'pagination']);
    expect(body.attribution_notice).toMatchObject({
      settled_by_invo: false,
      invo_has_paid_no_recipient: true,
      document_type: 'attribution_report',
      not_a_remittance_advice: true,
      payer: 'partner',
    });
    expect(body.report).toMatchObject({
      game_id: '41207',
      generated_at: '2026-11-21T12:00:00.000Z',
      filters: { recipient_player_id: null, subscription_id: null },
      window: { start: '2026-10-01T00:00:00Z', end: '2026-10-02T00:00:00Z', end_exclusive: true },
      derivation: expect.any(Object),
      known_limits: expect.any(Object),
    });
    const recipient = body.recipients.find((each: { recipient: { player_id: number } }) => each.recipient.player_id === 9010);
    expect(Object.keys(recipient).sort()).toEqual([
      'first_paid_at',
      'gross_attributed_usd',
      'last_paid_at',
      'net_attributed_usd',
      'periods',
      'periods_truncated',
      'recipient',
      'renewal_count',
      'reversal_count',
      'reversals',
      'reversals_truncated',
      'reversed_attributed_usd',
      'settled_by_invo',
      'subscription_count',
    ]);
    expect(Object.keys(recipient.periods[0]).sort()).toEqual([
      'amount_usd',
      'attribution',
      'attribution_unavailable_reason',
      'funding',
      'invo_fee_usd',
      'item_id',
      'item_name',
      'mint_order_id',
      'paid_at',
      'partner_leg_reversed',
      'partner_revenue_reversed_usd',
      'partner_revenue_settled_usd',
      'partner_revenue_usd',
      'period_end',
      'period_id',
      'period_seq',
      'period_start',
      'reconciliation',
      'refund',
      'settled_by_invo',
      'status',
      'subscription_id',
      'transaction_id',
    ]);
    expect(Object.keys(recipient.reversals[0]).sort()).toEqual([
      'amount_usd',
      'latest_refund_at',
      'nets_to_zero_in_window',
      'note',
      'originally_attributed_usd',
      'paid_at',
      'partner_revenue_reversed_usd',
      'period_id',
      'period_seq',
      'refund_events',
      'refunded_to_date_usd',
      'reversal_basis',
      'reversed_attributed_usd',
      'settled_in_this_window',
      'status',
      'subscription_id',
    ]);
    expect(Object.keys(recipient.reversals[0].refund_events[0]).sort()).toEqual([
      'cumulative_refunded_after_usd',
      'cumulative_refunded_before_usd',
      'is_full_refund',
      'partner_revenue_reversal_basis',
      'partner_revenue_reversed_usd',
      'refunded_amount_usd',
      'refunded_at',
      'reversed_attributed_usd',
      'settled_by_invo',
    ]);
  });

  test('sums day 1 of October to the figures worked out by hand', async () => {
    const invo = await openInvo();
    const { totals } = await invo.report('2026-10-01', '2026-10-02');
    expect(totals).toEqual({
      renewals_settled: 17,
      settled_gross_usd: '435.0040',
      invo_fee_usd: '43.5004',
      partner_revenue_settled_usd: '391.5036',
      partner_revenue_reversed_usd: '123.3018',
      partner_revenue_usd: '268.2018',
      renewals_with_attribution: 13,
      renewals_without_attribution: 4,
      unattributed_reasons: {
        no_revenue_share_configured: 1,
        spend_order_not_found: 1,
        attribution_not_recorded: 1,
        attribution_malformed: 1,
      },
      gross_attributed_usd: '52.7909',
      reversed_attributed_usd: '27.3155',
      net_attributed_usd: '25.4754',
      renewals_settled_then_fully_reversed: 2,
      refund_events_in_window: 10,
      reversals_without_receipts: 1,
      recipient_count: 13,
      settled_by_invo: false,
    });
  });
});

describe('a refused request', () => {
  test.each([
    ['end=2026-11-01', 'WINDOW_INVALID'],
    ['start=2026-10-01', 'WINDOW_INVALID'],
    ['start=2026-10-01&end=soon', 'WINDOW_INVALID'],
    ['start=2026-02-30&end=2026-04-01', 'WINDOW_INVALID'],
    ['start=2026-10-01&end=2026-10-01', 'WINDOW_INVALID'],
    ['start=2026-10-02&end=2026-10-01', 'WINDOW_INVALID'],
    ['start=2026-10-01T00:00:00+02:00&end=2026-11-01', 'WINDOW_INVALID'],
    ['start=2025-01-01&end=2026-02-05T00:00:00.001Z', 'WINDOW_TOO_LONG'],
    [`${OCTOBER}&limit=0`, 'PAGINATION_INVALID'],
    [`${OCTOBER}&limit=ten`, 'PAGINATION_INVALID'],
    [`${OCTOBER}&offset=-1`, 'PAGINATION_INVALID'],
    [`${OCTOBER}&offset=100001`, 'PAGINATION_INVALID'],
    [`${OCTOBER}&recipient_player_id=me`, 'RECIPIENT_INVALID'],
    [`${OCTOBER}&subscription_id=${'S'.repeat(51)}`, 'SUBSCRIPTION_ID_INVALID'],
    [`${OCTOBER}&page=2`, 'INVALID_FIELD_VALUE'],
    [`${OCTOBER}&limit=1&limit=2`, 'INVALID_FIELD_VALUE'],
  ])('%s is %s, in the documented envelope', async (query, code) => {
    const invo = await openInvo();
    const { status, body } = await invo.ask(`${REPORT}?${query}`);
    expect([status, body.error_code]).toEqual([400, code]);
    expect(body).toMatchObject({ error: expect.any(String), error_id: expect.stringMatching(/^err_/), timestamp: expect.any(String) });
  });

  test('an unknown subscription is 404; exactly 400 days and the last offset are accepted', async () => {
    const invo = await openInvo();
    expect((await invo.ask(`${REPORT}?${OCTOBER}&subscription_id=SUB_1_NOBODY00`)).body.error_code).toBe('SUBSCRIPTION_NOT_FOUND');
    expect((await invo.ask(`${REPORT}?start=2025-01-01&end=2026-02-05&limit=1&offset=100000`)).status).toBe(200);
  });

  test.each([
    ['instant:20001', { settled_renewals: 20_001, max_renewals: 20_000 }],
    ['distribution:crowded', { settled_renewals: 200_000 }],
  ])('%s is too large, and the answer says how large', async (world, facts) => {
    const invo = await openInvo({ world });
    expect((await invo.ask(`${REPORT}?${OCTOBER}`)).body).toMatchObject({ error_code: 'WINDOW_TOO_LARGE', ...facts });
  });
});

describe('pages', () => {
  test('hold at most a hundred recipients each, repeat the totals and list every recipient once in order', async () => {
    const invo = await openInvo();
    const [first, second] = [
      await invo.report('2026-09-01', '2026-10-01', '&offset=0'),
      await invo.report('2026-09-01', '2026-10-01', '&offset=100'),
    ];
    expect((await invo.ask(`${REPORT}?start=2026-09-01&end=2026-10-01&limit=5000`)).body.pagination).toEqual({
      total_count: first.totals.recipient_count,
      limit: 100,
      offset: 0,
      has_more: true,
    });
    expect((await invo.ask(`${REPORT}?start=2026-09-01&end=2026-10-01`)).body.recipients).toHaveLength(50);
    expect(second.totals).toEqual(first.totals);
    expect(second.pagination.has_more).toBe(false);
    const all = await allRecipients(invo, '2026-09-01', '2026-10-01', 37);
    expect(new Set(all.map((each) => each.recipient.player_id)).size).toBe(first.totals.recipient_count);
    const ranked = [...all].sort(
      (a, b) => Number(units(b.net_attributed_usd) - units(a.net_attributed_usd)) || a.recipient.player_id - b.recipient.player_id,
    );
    expect(all.map((each) => each.recipient.player_id)).toEqual(ranked.map((each) => each.recipient.player_id));
    expect(all.at(-1).net_attributed_usd).toMatch(/^-/);
  });

  test('the recipient filter leaves the totals unchanged; the subscription filter narrows them', async () => {
    const invo = await openInvo();
    const whole = await invo.report('2026-10-01', '2026-11-01');
    const one = await invo.report('2026-10-01', '2026-11-01', '&recipient_player_id=9001');
    expect(one.totals).toEqual(whole.totals);
    expect(one.recipients).toHaveLength(1);
    expect(one.report.filters.recipient_player_id).toBe(9001);
    const narrowed = await invo.report('2026-10-01', '2026-11-01', '&subscription_id=SUB_1767225600_WITN01AL');
    expect(narrowed.totals).toMatchObject({ renewals_settled: 1, settled_gross_usd: '20.00', recipient_count: 1 });
  });

  test('lines stop at 500, counts do not', async () => {
    const invo = await openInvo();
    const {
      recipients: [aurora],
    } = await invo.report('2026-10-01', '2026-11-01', '&recipient_player_id=500001');
    expect([aurora.renewal_count, aurora.periods.length, aurora.periods_truncated, aurora.reversals_truncated]).toEqual([
      900,
      500,
      true,
      false,
    ]);
    const instants: number[] = aurora.periods.map((line: { paid_at: string }) => Date.parse(line.paid_at));
    expect(instants).toEqual([...instants].sort((a, b) => b - a));
    await invo.control('POST', 'game', { lineOrder: 'oldest' });
    const {
      recipients: [turned],
    } = await invo.report('2026-10-01', '2026-11-01', '&recipient_player_id=500001');
    expect(turned.periods[0].paid_at < turned.periods.at(-1).paid_at).toBe(true);
    await invo.control('POST', 'game', { lineOrder: 'shuffled' });
    const shuffled: Body[] = (await invo.report('2026-10-01', '2026-11-01', '&recipient_player_id=500001')).recipients[0].periods;
    const steps = shuffled.slice(1).map((line, index) => Math.sign(Date.parse(line.paid_at) - Date.parse(shuffled[index].paid_at)));
    expect(steps.filter((step) => step > 0).length).toBeGreaterThan(50);
    expect(steps.filter((step) => step < 0).length).toBeGreaterThan(50);
    const { totals } = await invo.report('2026-10-17T09:30:00.123Z', '2026-10-17T09:30:00.124Z');
    expect(totals.renewals_settled).toBe(506);
  });
});

describe('windows', () => {
  test.each([
    ['2026-10-01T00:00:00.000Z', '2026-10-01T00:00:00.001Z', [2026100001]],
    ['2026-10-01T00:00:00.001Z', '2026-10-01T01:00:00.000Z', []],
    ['2026-09-30T23:59:59.999Z', '2026-10-01T00:00:00Z', [2026090003]],
    ['2026-10-01T23:59:59.999Z', '2026-10-02T00:00:00Z', [2026100002]],
    ['2026-10-01T23:59:59.9991Z', '2026-10-02T00:00:00Z', []],
    ['2026-10-01T02:00:00%2B02:00', '2026-10-01T02:00:00.001%2B02:00', [2026100001]],
    ['2026-10-01T00:00:00', '2026-10-01T00:00:00.001', [2026100001]],
  ])('from %s to %s hold %j', async (start, end, ids) => {
    const invo = await openInvo();
    const body = await invo.report(start, end);
    const settled = body.recipients.flatMap((each: { periods: { period_id: number }[] }) => each.periods.map((line) => line.period_id));
    expect(settled).toEqual(ids);
  });

  test('are echoed in UTC', async () => {
    const invo = await openInvo();
    const { report } = await invo.report('2026-10-01T02:00:00.5%2B02:00', '2026-11-01');
    expect(report.window).toEqual({ start: '2026-10-01T00:00:00.5Z', end: '2026-11-01T00:00:00Z', end_exclusive: true });
  });

  test('exclude a refund at the end and include one in the last millisecond', async () => {
    const invo = await openInvo();
    const dayOne = await invo.report('2026-10-01', '2026-10-02');
    const reversed = dayOne.recipients
      .flatMap((each: { reversals: { period_id: number }[] }) => each.reversals.map((line) => line.period_id))
      .sort();
    expect(reversed).toEqual([2026090004, 2026090006, 2026100004, 2026100005, 2026100007, 2026100015, 2026100016, 2026100018]);
    const next = await invo.report('2026-10-02', '2026-10-02T00:00:00.001Z');
    expect(next.recipients[0].reversals[0]).toMatchObject({
      period_id: 2026100013,
      settled_in_this_window: false,
      reversed_attributed_usd: '0.95',
    });
  });

  test('show nothing later than the clock, and keep every line in its window', async () => {
    const invo = await openInvo({ now: '2026-10-01T08:00:00Z' });
    expect((await invo.report('2026-10-01', '2026-11-01')).totals).toMatchObject({ renewals_settled: 14, refund_events_in_window: 2 });
  });
});
