import { describe, expect, test } from 'vitest';
import { type Body, openDoor } from '../test-door.ts';

const FIRST = '/api/subscriptions/SUB_1767225600_WITN01AL/refund';
const PERIOD = '/api/subscriptions/reporting/periods/2026100001';

describe('after a refund', () => {
  test('later reads show it: the period, the subscription, its attribution, and the report of the window of the refund', async () => {
    const door = await openDoor();
    const november = '/api/subscriptions/SUB_1767225600_WITN01AL';
    expect((await door.ask(november)).body.subscription.paid_through).toBe('2026-12-01T00:00:00.000Z');
    const { transaction_id } = (await door.post(FIRST, { client_request_id: 'k-1', period_seq: 10, amount_usd: '5.00' })).body;
    await door.post(FIRST, { client_request_id: 'k-2' });
    const { body } = await door.ask(PERIOD);
    expect(body.refunds).toMatchObject({ refund_count: 1, refunded_to_date_usd: '5.00', basis: 'refund_receipts' });
    expect(body.refunds.events[0]).toMatchObject({
      refund_transaction_id: transaction_id,
      refunded_amount_usd: '5.00',
      partner_revenue_reversal_basis: 'clawback',
    });
    expect(body.fee_legs).toMatchObject({
      invo_fee_usd: '2.00',
      partner_revenue_reversed_usd: '4.50',
      card_fee_charged_to_partner_usd: '0.50',
      partner_revenue_after_fees_usd: '13.00',
    });
    expect(body.period).toMatchObject({ status: 'paid', refund: { refunded_amount_usd: '5.00' } });
    const { subscription } = (await door.ask(november)).body;
    expect([subscription.status, subscription.paid_through]).toEqual(['active', '2026-11-01T00:00:00.000Z']);
    const { recipients } = await door.report('2026-11-21', '2026-11-22', '&recipient_player_id=9001');
    expect(recipients[0]).toMatchObject({ net_attributed_usd: '-2.25', reversal_count: 2 });
    expect(recipients[0].reversals.map((line: Body) => line.reversal_basis)).toEqual(['refund_receipts', 'refund_receipts']);
  });

  test('no period named: the newest billed one; a wholly refunded one is skipped, until all are', async () => {
    const door = await openDoor();
    const seqs: number[] = [];
    for (let count = 0; count < 11; count += 1) seqs.push((await door.post(FIRST, { client_request_id: `k-${count}` })).body.period_seq);
    expect(seqs).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect((await door.post(FIRST, { client_request_id: 'k-last' })).body.error_code).toBe('ALREADY_REFUNDED');
  });
});
