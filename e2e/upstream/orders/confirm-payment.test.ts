import { expect, test } from 'vitest';
import { type Answered, openInvo, type TestInvo } from '../testing/test-client.ts';

const CONFIRM = '/api/currency-purchases/confirm-payment';
const BREE = { payment_intent_id: 'pi_bree_02', order_id: 'ORD_BREE_02' };

const coinsOf = async (invo: TestInvo, email: string): Promise<string> =>
  (await invo.control('GET', `wallet?player_email=${email}@players.example`)).body.coins;
const orderOf = async (invo: TestInvo, id: string): Promise<Answered> => invo.ask(`/api/currency-purchases/order-details?order_id=${id}`);

test('a payment is credited once after the bank’s check, however often it is confirmed', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'webhooks', { url: 'http://127.0.0.1:9/' });
  expect(await invo.post(CONFIRM, BREE)).toMatchObject({ status: 400, body: { status: 'requires_action', order_id: 'ORD_BREE_02' } });
  expect((await orderOf(invo, 'ORD_BREE_02')).body.order.order_status).toBe('requires_action');
  await invo.control('POST', 'challenge', { order_id: 'ORD_BREE_02', outcome: 'done' });
  const first = await invo.post(CONFIRM, BREE);
  expect(first).toMatchObject({ status: 200, body: { status: 'success', new_balance: '953.50', already_processed: false } });
  const again = await invo.post(CONFIRM, BREE);
  expect(again.body).toEqual({ ...first.body, already_processed: true });
  expect(await coinsOf(invo, 'bree.okoro')).toBe('953.50');
  const { order } = (await orderOf(invo, 'ORD_BREE_02')).body;
  expect(order).toMatchObject({ order_status: 'completed', transaction_id: first.body.transaction_id, usd_amount: '9.99' });
  expect(order).not.toHaveProperty('client_secret');
  expect((await invo.control('GET', 'executed?kind=confirm-payment')).body.executed).toEqual([
    { environment: 'production', kind: 'confirm-payment', subject: 'ORD_BREE_02', executions: 1, calls: 3 },
  ]);
  const { deliveries } = (await invo.control('GET', 'deliveries')).body;
  expect(deliveries.map(({ event_type }: { event_type: string }) => event_type)).toEqual(['purchase.completed']);
});

test('a failed check ends the order as failed, and a cancelled order stays so', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'challenge', { order_id: 'ORD_BREE_02', outcome: 'failed' });
  expect(await invo.post(CONFIRM, BREE)).toMatchObject({ status: 402, body: { status: 'failed', order_status: 'failed' } });
  expect((await orderOf(invo, 'ORD_BREE_02')).body.order.order_status).toBe('failed');
  expect(await invo.post(CONFIRM, { payment_intent_id: 'pi_bree_05', order_id: 'ORD_BREE_05' })).toMatchObject({
    status: 409,
    body: { status: 'failed', order_status: 'cancelled' },
  });
  expect(await coinsOf(invo, 'bree.okoro')).toBe('-45.50');
});

test.each([
  ['402', 402, { error_code: 'card_declined' }],
  ['404', 404, { error_code: 'PAYMENT_INTENT_NOT_FOUND' }],
  ['409', 409, { status: 'pending', order_status: 'requires_action' }],
  ['failed', 200, { status: 'failed', order_status: 'requires_action' }],
])('an unfinished check answers in the shape %s with %i', async (shape, status, body) => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { 'confirm-payment': shape });
  expect(await invo.post(CONFIRM, BREE)).toMatchObject({ status, body });
});

test.each([
  [{ payment_intent_id: 'pi_bree_03', order_id: 'ORD_BREE_02' }, 404],
  [{ payment_intent_id: 'pi_bree_02', order_id: 'ORD_NOBODY' }, 404],
  [{ order_id: 'ORD_BREE_02' }, 400],
  [[], 400],
])('a confirmation of %j is %i', async (body, status) => {
  const invo = await openInvo();
  expect((await invo.post(CONFIRM, body)).status).toBe(status);
});

test('a payment that landed before the connection was cut is found credited', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'challenge', { order_id: 'ORD_BREE_02', outcome: 'done' });
  await invo.control('POST', 'faults', [{ kind: 'landed_then_reset' }]);
  await expect(invo.post(CONFIRM, BREE)).rejects.toThrow();
  expect((await invo.post(CONFIRM, BREE)).body.already_processed).toBe(true);
  expect((await invo.control('GET', 'executed?kind=confirm-payment')).body.executed[0]).toMatchObject({ executions: 1, calls: 2 });
});
