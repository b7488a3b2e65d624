import { describe, expect, test } from 'vitest';
import { type Door, openDoor } from '../test-door.ts';

const FIRST = '/api/subscriptions/SUB_1767225600_WITN01AL/refund';

async function wallet(door: Door, email: string, coins?: string): Promise<string> {
  if (coins !== undefined) await door.control('POST', 'wallet', { player_email: email, coins });
  return (await door.control('GET', `wallet?player_email=${encodeURIComponent(email)}`)).body.coins;
}

describe('what a refund moves', () => {
  test('in full: the card, the partner leg without the fee, the attributed amount; coins stay', async () => {
    const door = await openDoor();
    await wallet(door, 'witness-202601-0@players.example', '7.00');
    const { status, body } = await door.post(FIRST, { client_request_id: 'k-1', period_seq: 10, amount_usd: '20.00', reason: 'asked' });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'refunded',
      idempotent_replay: false,
      refund_key: expect.stringMatching(/^SUB_1767225600_WITN01AL:10:/),
      client_request_id: 'k-1',
      subscription_id: 'SUB_1767225600_WITN01AL',
      period_seq: 10,
      transaction_id: expect.stringMatching(/^RFD_2026100001_[0-9A-F]{10}$/),
      refunded_amount_usd: '20.00',
      total_refunded_amount_usd: '20.00',
      remaining_refundable_usd: '0.00',
      is_full_refund: true,
      funding_shape: 'card',
      balance_delta_coins: '0.00',
      card_refunded_usd: '20.00',
      processor_refund_reference: expect.stringMatching(/^re_/),
      processor_refund_adopted: false,
      invo_fee_retained: true,
      partner_revenue_reversed_usd: '18.00',
      partner_revenue_reversal_mode: 'full',
      card_fee_charged_to_partner_usd: '2.00',
      revenue_share_attribution: {
        recipient_player_id: 9001,
        percent: '10.00',
        original_attributed_amount_usd: '1.80',
        refunded_attributed_amount_usd: '1.80',
        net_attributed_amount_usd: '0.00',
        settled_by_invo: false,
      },
      reason: 'asked',
      refunded_at: '2026-11-21T12:00:00.000Z',
      new_balance: '7.00',
    });
  });

  test('in parts: coins at ten for a dollar, then the whole charge to the card and the coins back, below zero if they were spent', async () => {
    const door = await openDoor();
    const email = 'witness-202601-0@players.example';
    await wallet(door, email, '3.00');
    const part = (await door.post(FIRST, { client_request_id: 'k-1', period_seq: 10, amount_usd: '5.00' })).body;
    expect(part).toMatchObject({
      is_full_refund: false,
      remaining_refundable_usd: '15.00',
      balance_delta_coins: '50.00',
      card_refunded_usd: '0.00',
      processor_refund_reference: null,
      partner_revenue_reversed_usd: '4.50',
      partner_revenue_reversal_mode: 'prorata',
      card_fee_charged_to_partner_usd: '0.50',
      revenue_share_attribution: { refunded_attributed_amount_usd: '0.45', net_attributed_amount_usd: '1.35' },
      new_balance: '53.00',
    });
    await wallet(door, email, '20.00');
    const rest = (await door.post(FIRST, { client_request_id: 'k-2', period_seq: 10 })).body;
    expect(rest).toMatchObject({
      is_full_refund: true,
      refunded_amount_usd: '15.00',
      total_refunded_amount_usd: '20.00',
      balance_delta_coins: '-50.00',
      card_refunded_usd: '20.00',
      partner_revenue_reversed_usd: '13.50',
      card_fee_charged_to_partner_usd: '1.50',
      revenue_share_attribution: { refunded_attributed_amount_usd: '1.80', net_attributed_amount_usd: '0.00' },
      new_balance: '-30.00',
    });
    expect(await wallet(door, email)).toBe('-30.00');
  });

  test.each([
    ['mixed before 17 September', 'SUB_1767225600_WITN16AL', 9, ['20.00', 'mixed', '1200.00', '25.00', '18.00', '2.00']],
    ['wallet-covered', 'SUB_1733400000_DESKINES', 1, ['20.00', 'wallet', '2000.00', '0.00', '18.00', '0.00']],
    ['wallet-covered in the store', 'SUB_1638957600_DESKVIK1', 2, ['15.00', 'wallet', '1500.00', '0.00', '13.50', '0.00']],
    ['partly refunded before', 'SUB_1733396400_DESKTOMA', 1, ['28.00', 'card', '-120.00', '40.00', '25.20', '2.80']],
    ['with four places', 'SUB_1767225600_WITN15AL', 10, ['5.0020', 'card', '-50.02', '10.0040', '4.5018', '0.5002']],
  ])('what is left of a period %s', async (_, id, period_seq, figures) => {
    const door = await openDoor();
    const { body } = await door.post(`/api/subscriptions/${id}/refund`, { client_request_id: 'k-1', period_seq });
    expect([
      body.refunded_amount_usd,
      body.funding_shape,
      body.balance_delta_coins,
      body.card_refunded_usd,
      body.partner_revenue_reversed_usd,
      body.card_fee_charged_to_partner_usd,
    ]).toEqual(figures);
  });

  test('the walk of a period that is safe to refund in a demo: 49.99 on the tenth of November', async () => {
    const door = await openDoor();
    const path = '/api/subscriptions/SUB_1794273961_54TGUAL9/refund';
    expect(await wallet(door, 'fan-202611-12@players.example')).toBe('1215.00');
    const part = (await door.post(path, { client_request_id: 'k-1', period_seq: 1, amount_usd: '20.00' })).body;
    expect(part).toMatchObject({
      balance_delta_coins: '200.00',
      partner_revenue_reversed_usd: '18.00',
      card_fee_charged_to_partner_usd: '2.00',
      revenue_share_attribution: { original_attributed_amount_usd: '9.00', net_attributed_amount_usd: '5.40' },
      new_balance: '1415.00',
    });
    const rest = (await door.post(path, { client_request_id: 'k-2', period_seq: 1 })).body;
    expect(rest).toMatchObject({
      refunded_amount_usd: '29.99',
      card_refunded_usd: '49.99',
      balance_delta_coins: '-200.00',
      partner_revenue_reversed_usd: '26.99',
      card_fee_charged_to_partner_usd: '3.00',
      revenue_share_attribution: { net_attributed_amount_usd: '0.00' },
      new_balance: '1215.00',
    });
  });
});
