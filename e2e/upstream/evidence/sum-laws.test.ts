import { expect, test } from 'vitest';
import { allRecipients, type Body, openInvo, sumOf, units } from '../testing/test-client.ts';

const MONTHS = [
  ['2024-02-01', '2024-03-01'],
  ['2026-03-01', '2026-04-01'],
  ['2026-09-01', '2026-10-01'],
  ['2026-11-01', '2026-12-01'],
] as const;

test.each(MONTHS)('recipients and lines of %s to %s sum to the totals', async (start, end) => {
  const invo = await openInvo();
  const { totals } = await invo.report(start, end);
  const recipients = await allRecipients(invo, start, end);
  for (const field of ['gross_attributed_usd', 'reversed_attributed_usd', 'net_attributed_usd']) {
    expect(sumOf(recipients, (each) => each[field])).toBe(units(totals[field]));
  }
  expect(recipients).toHaveLength(totals.recipient_count);
  expect(units(totals.net_attributed_usd)).toBe(units(totals.gross_attributed_usd) - units(totals.reversed_attributed_usd));
  expect(units(totals.partner_revenue_usd)).toBe(units(totals.partner_revenue_settled_usd) - units(totals.partner_revenue_reversed_usd));
  expect(units(totals.settled_gross_usd)).toBe(units(totals.invo_fee_usd) + units(totals.partner_revenue_settled_usd));
  expect(totals.renewals_with_attribution + totals.renewals_without_attribution).toBe(totals.renewals_settled);
  expect(Object.values<number>(totals.unattributed_reasons).reduce((sum, count) => sum + count)).toBe(totals.renewals_without_attribution);
  expect(recipients.reduce((sum, each) => sum + each.renewal_count, 0)).toBe(totals.renewals_with_attribution);
  recipients.forEach(expectRecipientToHold);
});

function expectRecipientToHold(recipient: Body): void {
  expect(recipient.periods).toHaveLength(recipient.renewal_count);
  expect(sumOf(recipient.periods, (line) => line.attribution.attributed_amount_usd)).toBe(units(recipient.gross_attributed_usd));
  expect(recipient.reversals).toHaveLength(recipient.reversal_count);
  expect(sumOf(recipient.reversals, (line) => line.reversed_attributed_usd)).toBe(units(recipient.reversed_attributed_usd));
  expect(new Set(recipient.periods.map((line: Body) => line.subscription_id)).size).toBe(recipient.subscription_count);
  recipient.reversals.forEach(expectReversalToHold);
}

function expectReversalToHold(reversal: Body): void {
  if (reversal.nets_to_zero_in_window)
    expect([reversal.settled_in_this_window, reversal.reversed_attributed_usd]).toEqual([true, reversal.originally_attributed_usd]);
  if (reversal.reversal_basis === 'period_row') return expect(reversal.refund_events).toEqual([]);
  expect(sumOf(reversal.refund_events, (event) => event.reversed_attributed_usd)).toBe(units(reversal.reversed_attributed_usd));
  let before: string | null = null;
  for (const event of reversal.refund_events) {
    if (before !== null) expect(event.cumulative_refunded_before_usd).toBe(before);
    expect(units(event.cumulative_refunded_before_usd) + units(event.refunded_amount_usd)).toBe(units(event.cumulative_refunded_after_usd));
    expect(event.is_full_refund).toBe(event.cumulative_refunded_after_usd === reversal.amount_usd);
    before = event.cumulative_refunded_after_usd;
  }
}

test('sub-windows sum to the window', async () => {
  const invo = await openInvo();
  const cuts = [
    '2026-10-01',
    '2026-10-02',
    '2026-10-09T13:07:11.417Z',
    '2026-10-17T09:30:00.123Z',
    '2026-10-17T09:30:00.124Z',
    '2026-11-01',
  ];
  const whole = (await invo.report('2026-10-01', '2026-11-01')).totals;
  const parts = await Promise.all(cuts.slice(1).map(async (end, index) => (await invo.report(cuts[index] ?? '', end)).totals));
  for (const field of Object.keys(whole).filter((name) => name.endsWith('_usd')))
    expect(sumOf(parts, (part) => part[field])).toBe(units(whole[field]));
  for (const field of ['renewals_settled', 'renewals_with_attribution', 'refund_events_in_window', 'reversals_without_receipts']) {
    expect(parts.reduce((sum, part) => sum + part[field], 0)).toBe(whole[field]);
  }
});

test('the sum stays exact with the refund that completes a period', async () => {
  const invo = await openInvo();
  const {
    recipients: [zero],
  } = await invo.report('2026-10-01', '2026-10-02', '&recipient_player_id=9012');
  expect(zero.reversals[0].refund_events.map((event: Body) => event.reversed_attributed_usd)).toEqual(['0.2997', '0.2997', '0.3006']);
  expect(zero.reversals[0]).toMatchObject({
    reversed_attributed_usd: '0.90',
    nets_to_zero_in_window: true,
    partner_revenue_reversed_usd: '9.00',
  });
  expect(zero.net_attributed_usd).toBe('0.00');
});
