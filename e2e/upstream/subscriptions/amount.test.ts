import { describe, expect, test } from 'vitest';
import { usd } from '../money.ts';
import { openInvo } from '../testing/test-client.ts';
import { canApply } from './amount.ts';

const FIRST = '/api/subscriptions/SUB_1767225600_WITN01AL';

describe('a price change', () => {
  test('is staged, applies with the next renewal without proration, and is then no longer pending', async () => {
    const invo = await openInvo();
    const { body } = await invo.post(`${FIRST}/amount`, { amount_usd: '30.00' });
    expect(body).toMatchObject({
      status: 'success',
      old_amount_usd: '20.00',
      new_amount_usd: '30.00',
      pending_amount_usd: '30.00',
      change_queued: true,
      applies_from: '2026-12-01T00:00:00.000Z',
      applies_from_period_seq: 12,
      paid_through: '2026-12-01T00:00:00.000Z',
      current_period_end: '2026-12-01T00:00:00.000Z',
      prorated: false,
      subscription: { amount_usd: '20.00', pending_amount_usd: '30.00' },
    });
    await invo.control('POST', 'clock', { now: '2026-12-02T00:00:00Z' });
    expect((await invo.ask(FIRST)).body.subscription).toMatchObject({ amount_usd: '30.00', pending_amount_usd: null, period_seq: 12 });
    expect((await invo.ask('/api/subscriptions/reporting/periods/2026120001')).body.period).toMatchObject({
      amount_usd: '30.00',
      invo_fee_usd: '3.00',
      partner_revenue_settled_usd: '27.00',
      attribution: { base_usd: '27.00', attributed_amount_usd: '2.70' },
      funding: { amount_coins: '3000.00', card_charged_usd: '30.00' },
    });
    expect((await invo.ask('/api/subscriptions/reporting/periods/2026110001')).body.period.amount_usd).toBe('20.00');
  });

  test('to the current price clears the staged price', async () => {
    const invo = await openInvo();
    const theo = '/api/subscriptions/SUB_1733565600_DESKTHEO';
    expect((await invo.ask(theo)).body.subscription.pending_amount_usd).toBe('25.00');
    const { body } = await invo.post(`${theo}/amount`, { amount_usd: '20.00' });
    expect(body).toMatchObject({ change_queued: false, pending_amount_usd: null, applies_from: null, applies_from_period_seq: null });
    expect((await invo.ask(theo)).body.subscription.pending_amount_usd).toBeNull();
  });

  test.each([
    ['SUB_1767225600_WITN01AL', '40.00', '40.00', null],
    ['SUB_1767225600_WITN01AL', '40.01', '20.00', '40.01'],
    ['SUB_1767225600_WITN01AL', '0.01', '0.01', null],
  ])('of %s to %s bills %s at the next renewal and leaves %s pending', async (id, amount_usd, billed, pending) => {
    const invo = await openInvo();
    await invo.post(`/api/subscriptions/${id}/amount`, { amount_usd });
    await invo.control('POST', 'clock', { now: '2026-12-02T00:00:00Z' });
    const { subscription } = (await invo.ask(`/api/subscriptions/${id}`)).body;
    expect([subscription.amount_usd, subscription.pending_amount_usd]).toEqual([billed, pending]);
  });

  test.each([
    ['300.00', '500.00', true],
    ['300.00', '500.01', false],
    ['600.00', '550.00', true],
    ['10.00', '20.00', true],
    ['10.00', '20.01', false],
  ])('from %s to %s is applied at some renewal: %s', (agreed, requested, isApplied) => {
    expect(canApply(usd(agreed), usd(requested))).toBe(isApplied);
  });

  test('leaves the prices of earlier periods unchanged', async () => {
    const invo = await openInvo({ now: undefined });
    const billed = async (id: number): Promise<string> =>
      (await invo.ask(`/api/subscriptions/reporting/periods/${id}`)).body.period.amount_usd;
    await invo.control('POST', 'clock', { now: '2026-10-15T00:00:00Z' });
    await invo.post(`${FIRST}/amount`, { amount_usd: '30.00' });
    await invo.control('POST', 'clock', { now: '2026-11-05T00:00:00Z' });
    await invo.post(`${FIRST}/amount`, { amount_usd: '45.00' });
    expect([await billed(2026100001), await billed(2026110001)]).toEqual(['20.00', '30.00']);
    await invo.control('POST', 'clock', { now: '2026-12-05T00:00:00Z' });
    expect([await billed(2026100001), await billed(2026110001), await billed(2026120001)]).toEqual(['20.00', '30.00', '45.00']);
    expect((await invo.report('2026-12-01', '2026-12-02', '&subscription_id=SUB_1767225600_WITN01AL')).totals.settled_gross_usd).toBe(
      '45.00',
    );
  });

  test('has no date without a paid period; in dunning it waits for the period after', async () => {
    const invo = await openInvo();
    expect((await invo.post('/api/subscriptions/SUB_1795105200_DESKLENA/amount', { amount_usd: '9.99' })).body).toMatchObject({
      applies_from: null,
      applies_from_period_seq: 1,
      paid_through: null,
    });
    expect((await invo.post('/api/subscriptions/SUB_1734508800_DESKOWEN/amount', { amount_usd: '20.00' })).body).toMatchObject({
      applies_from_period_seq: 3,
      applies_from: '2028-08-18T08:00:00.000Z',
    });
  });

  test('of a store subscription may only lower the price', async () => {
    const invo = await openInvo();
    const vik = '/api/subscriptions/SUB_1638957600_DESKVIK1/amount';
    const up = await invo.post(vik, { amount_usd: '15.01' });
    expect([up.status, up.body]).toMatchObject([
      409,
      { error_code: 'PCSTORE_REAUTHORIZATION_REQUIRED', current_amount_usd: '15.00', requested_amount_usd: '15.01' },
    ]);
    expect((await invo.post(vik, { amount_usd: '10.00' })).body.change_queued).toBe(true);
  });

  test.each([
    ['SUB_1733479200_DESKPAVE', { amount_usd: '5.00' }, 409, 'SUBSCRIPTION_TERMINAL'],
    ['SUB_1733482800_DESKRUTH', { amount_usd: '5.00' }, 409, 'SUBSCRIPTION_TERMINAL'],
    ['SUB_1_NOBODY00', { amount_usd: '5.00' }, 404, 'SUBSCRIPTION_NOT_FOUND'],
    ['SUB%20x', { amount_usd: '5.00' }, 400, 'INVALID_FIELD_VALUE'],
    ['SUB_1767225600_WITN01AL', {}, 400, 'INVALID_FIELD_VALUE'],
    ['SUB_1767225600_WITN01AL', { amount_usd: 5 }, 400, 'INVALID_FIELD_VALUE'],
    ['SUB_1767225600_WITN01AL', { amount_usd: '0' }, 400, 'INVALID_FIELD_VALUE'],
    ['SUB_1767225600_WITN01AL', '', 400, 'INVALID_BODY'],
  ])('of %s with %j is %i %s', async (id, body, status, code) => {
    const invo = await openInvo();
    const answered = await invo.post(`/api/subscriptions/${id}/amount`, body);
    expect([answered.status, answered.body.error_code]).toEqual([status, code]);
  });

  test('is refused while paused', async () => {
    const invo = await openInvo();
    await invo.control('POST', 'faults', [{ kind: 'paused', match: { route: 'amount' } }]);
    expect((await invo.post(`${FIRST}/amount`, { amount_usd: '30.00' })).status).toBe(503);
    expect((await invo.ask(FIRST)).body.subscription.pending_amount_usd).toBeNull();
  });
});
