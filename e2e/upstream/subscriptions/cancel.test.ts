import { describe, expect, test } from 'vitest';
import { openInvo } from '../testing/test-client.ts';

const FIRST = '/api/subscriptions/SUB_1767225600_WITN01AL';
const NORA = '/api/subscriptions/SUB_1794920400_DESKNORA';
const VIK = '/api/subscriptions/SUB_1638957600_DESKVIK1';

describe('a cancel', () => {
  test.each([[undefined], [{}], [{ at_period_end: true }], [{ at_period_end: '' }]])(
    'with body %j waits for the end of what is paid',
    async (body) => {
      const invo = await openInvo();
      const answered = (await invo.post(`${FIRST}/cancel`, body)).body;
      expect(answered).toMatchObject({
        status: 'success',
        already_canceled: false,
        cancel_at_period_end: true,
        effective_at: '2026-12-01T00:00:00.000Z',
        current_period_end: '2026-12-01T00:00:00.000Z',
        access_until: '2026-12-01T00:00:00.000Z',
        paid_through: '2026-12-01T00:00:00.000Z',
        subscription: { status: 'active', cancel_at_period_end: true, canceled_at: '2026-11-21T12:00:00.000Z', ended_at: null },
      });
      for (const absent of ['terminated_immediately', 'downgrade_reason', 'message', 'final_status', 'pcstore_agreement_status'])
        expect(answered).not.toHaveProperty(absent);
      await invo.control('POST', 'clock', { now: '2026-12-02T00:00:00Z' });
      expect((await invo.ask(FIRST)).body.subscription).toMatchObject({
        status: 'canceled',
        cancel_at_period_end: false,
        next_charge_at: null,
        ended_at: '2026-12-01T00:00:00.000Z',
      });
      expect((await invo.ask('/api/subscriptions/reporting/periods/2026120001')).status).toBe(404);
      expect((await invo.report('2026-12-01', '2026-12-02', '&subscription_id=SUB_1767225600_WITN01AL')).totals.renewals_settled).toBe(0);
    },
  );

  test('that is immediate ends it at once; access lasts to the end of the paid period', async () => {
    const invo = await openInvo();
    const { body } = await invo.post(`${FIRST}/cancel`, { at_period_end: false, reason: 'Too dear.' });
    expect(body).toMatchObject({
      already_canceled: false,
      cancel_at_period_end: false,
      effective_at: '2026-11-21T12:00:00.000Z',
      access_until: '2026-12-01T00:00:00.000Z',
      subscription: {
        status: 'canceled',
        next_charge_at: null,
        ended_at: '2026-11-21T12:00:00.000Z',
        metadata: { _invo_cancellation: { reason: 'Too dear.' } },
      },
    });
    const again = (await invo.post(`${FIRST}/cancel`)).body;
    expect(again).toMatchObject({ already_canceled: true, final_status: 'canceled', effective_at: '2026-11-21T12:00:00.000Z' });
  });

  test('that is immediate, after one at the period end, ends it at once', async () => {
    const invo = await openInvo();
    await invo.post(`${FIRST}/cancel`);
    expect((await invo.post(`${FIRST}/cancel`, { at_period_end: false })).body.subscription.status).toBe('canceled');
  });

  test('at the period end without a paid period ends it at once and reports so', async () => {
    const invo = await openInvo();
    const { body } = await invo.post(`${NORA}/cancel`);
    expect(body).toMatchObject({
      already_canceled: false,
      cancel_at_period_end: false,
      terminated_immediately: true,
      downgrade_reason: 'NO_PAID_PERIOD',
      message: expect.any(String),
      access_until: '2026-11-21T12:00:00.000Z',
      paid_through: null,
      subscription: { status: 'canceled' },
    });
  });

  test('at the period end after the paid period ended ends it at once, not in the past', async () => {
    const invo = await openInvo();
    const { body } = await invo.post('/api/subscriptions/SUB_1734508800_DESKOWEN/cancel');
    expect(body).toMatchObject({
      cancel_at_period_end: false,
      terminated_immediately: true,
      effective_at: '2026-11-21T12:00:00.000Z',
      access_until: '2026-11-21T12:00:00.000Z',
      paid_through: '2026-10-18T08:00:00.000Z',
    });
  });

  test('at the period end after a full refund ends it at once', async () => {
    const invo = await openInvo();
    const refunded = await invo.post('/api/subscriptions/SUB_1733392800_DESKMIRA/refund', { client_request_id: 'k-1' });
    expect(refunded.status).toBe(200);
    const { body } = await invo.post('/api/subscriptions/SUB_1733392800_DESKMIRA/cancel');
    expect(body).toMatchObject({ terminated_immediately: true, downgrade_reason: 'NO_PAID_PERIOD', paid_through: null });
  });

  test('of a store subscription ends the agreement', async () => {
    const invo = await openInvo();
    expect((await invo.ask(VIK)).body.subscription.pcstore_agreement_status).toBe('active');
    const { body } = await invo.post(`${VIK}/cancel`);
    expect(body).toMatchObject({ cancel_at_period_end: true, pcstore_agreement_status: 'canceled', pcstore_agreement_canceled: true });
    expect((await invo.ask(VIK)).body.subscription).toMatchObject({ status: 'active', pcstore_agreement_status: 'canceled' });
  });

  test('of a store subscription may keep the agreement', async () => {
    const invo = await openInvo();
    const puts = {
      pcstore_agreement_status: 'active',
      pcstore_agreement_canceled: false,
      'subscription.pcstore_agreement_status': 'active',
    };
    await invo.control('POST', 'faults', [{ kind: 'put', match: { route: 'cancel' }, puts }]);
    const { body } = await invo.post(`${VIK}/cancel`);
    expect(body).toMatchObject({ status: 'success', cancel_at_period_end: true, pcstore_agreement_status: 'active' });
    expect([body.pcstore_agreement_canceled, body.subscription.pcstore_agreement_status]).toEqual([false, 'active']);
  });

  test.each([
    ['SUB_1733479200_DESKPAVE', 'canceled'],
    ['SUB_1733482800_DESKRUTH', 'expired'],
  ])('of %s, which is %s, changes nothing', async (id, final_status) => {
    const invo = await openInvo();
    const before = (await invo.ask(`/api/subscriptions/${id}`)).body.subscription;
    const { status, body } = await invo.post(`/api/subscriptions/${id}/cancel`, { at_period_end: false });
    expect([status, body]).toMatchObject([200, { already_canceled: true, final_status, subscription: before }]);
  });

  test.each([
    ['SUB_1_NOBODY00', {}, 404, 'SUBSCRIPTION_NOT_FOUND'],
    ['SUB%20x', {}, 400, 'INVALID_FIELD_VALUE'],
    ['SUB_1767225600_WITN01AL', { at_period_end: 'yes' }, 400, 'INVALID_FIELD_VALUE'],
    ['SUB_1767225600_WITN01AL', { reason: 'r'.repeat(501) }, 400, 'INVALID_FIELD_VALUE'],
    ['SUB_1767225600_WITN01AL', '[]', 400, 'INVALID_BODY'],
  ])('of %s with %j is %i %s', async (id, body, status, code) => {
    const invo = await openInvo();
    const answered = await invo.post(`/api/subscriptions/${id}/cancel`, body);
    expect([answered.status, answered.body.error_code]).toEqual([status, code]);
  });
});
