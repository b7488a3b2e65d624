import { expect, test } from 'vitest';
import { type Answered, type Body, openInvo, type TestInvo } from '../testing/test-client.ts';
import { ASA, coinsOf, setTime } from '../testing/test-players.ts';

const BODY = { player_email: ASA, usd_amount: '9.99', purchase_reference: 'buy-1', payment_method_id: 'pm_ok' };
const buy = (invo: TestInvo, more: object = {}): Promise<Answered> =>
  invo.post('/api/currency-purchases/purchase-currency', { ...BODY, ...more });
const orderOf = async (invo: TestInvo, reference = 'buy-1'): Promise<Body> => {
  await invo.control('POST', 'shape', { 'order-details': 'nested+by_purchase_reference' });
  return (await invo.ask(`/api/currency-purchases/order-details?purchase_reference=${reference}`)).body.order;
};
const available = async (invo: TestInvo): Promise<string | undefined> => (await coinsOf(invo, ASA))[0];

test('a purchase is credited once per reference, and a repeat names the first', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'webhooks', { url: 'http://127.0.0.1:9/' });
  const first = await buy(invo, { metadata: { test: 'one' }, save_card: true });
  expect([first.status, first.body]).toEqual([
    200,
    { status: 'success', transaction_id: expect.stringMatching(/^TXN_/), new_balance: '5999.00', card_saved: true },
  ]);
  expect((await buy(invo, { usd_amount: '20.00' })).body).toMatchObject({
    status: 'success',
    duplicate: true,
    transaction_id: first.body.transaction_id,
    order_id: expect.stringMatching(/^ORD_/),
  });
  expect(await available(invo)).toBe('5999.00');
  expect(await orderOf(invo)).toMatchObject({ order_status: 'completed', usd_amount: '9.99', metadata: { test: 'one' } });
  const { cards } = (await invo.ask(`/api/currency-purchases/player-cards?player_email=${ASA}`)).body;
  expect(cards[0].last_four).toBe('4243');
  const [{ event_type: type }] = (await invo.control('GET', 'deliveries')).body.deliveries;
  expect(type).toBe('purchase.completed');
  expect((await invo.control('GET', 'executed?kind=purchase')).body.executed).toMatchObject([
    { subject: 'buy-1', executions: 1, calls: 2 },
  ]);
});

test('a purchase that the bank checks is credited once it is confirmed, and cancelled after a day', async () => {
  const invo = await openInvo();
  const { body } = await buy(invo, { payment_method_id: 'pm_3ds' });
  expect(body).toEqual({
    status: 'requires_action',
    client_secret: expect.stringContaining('_secret_'),
    payment_intent_id: expect.stringMatching(/^pi_/),
    order_id: expect.stringMatching(/^ORD_/),
    new_balance: null,
  });
  expect((await buy(invo)).body).toEqual(body);
  expect((await invo.control('GET', 'secrets')).body.secrets).toContainEqual({ kind: 'client_secret', value: body.client_secret });
  const { order_id, payment_intent_id } = body;
  await invo.control('POST', 'challenge', { order_id, outcome: 'done' });
  const confirm = { order_id, payment_intent_id };
  expect((await invo.post('/api/currency-purchases/confirm-payment', confirm)).body).toMatchObject({ new_balance: '5999.00' });
  await buy(invo, { purchase_reference: 'buy-2', payment_method_id: 'pm_3ds' });
  await invo.control('POST', 'clock', { now: '2026-11-22T12:00:00Z' });
  expect((await orderOf(invo, 'buy-2')).order_status).toBe('cancelled');
  expect(await buy(invo, { purchase_reference: 'buy-2' })).toMatchObject({
    status: 409,
    body: { status: 'failed', order_status: 'cancelled', order_id: expect.any(String) },
  });
  expect(await available(invo)).toBe('5999.00');
});

test('a purchase of unknown outcome that landed is credited a quarter of an hour later, once', async () => {
  const invo = await openInvo();
  const landed = { payment_method_id: 'pm_unknown_landed' };
  expect(await buy(invo, landed)).toMatchObject({
    status: 502,
    body: {
      error_code: 'PAYMENT_OUTCOME_UNKNOWN',
      order_id: expect.any(String),
      retry_with_same_reference: true,
      poll_endpoint: '/api/currency-purchases/order-details',
    },
  });
  await setTime(invo, '12:14:59');
  expect(await buy(invo, landed)).toMatchObject({ status: 409, body: { status: 'pending', duplicate: true } });
  expect(await available(invo)).toBe('5000.00');
  await setTime(invo, '12:15:00');
  expect((await orderOf(invo)).order_status).toBe('completed');
  expect((await buy(invo, landed)).body.duplicate).toBe(true);
  expect(await available(invo)).toBe('5999.00');
});

test('a purchase of unknown outcome that was lost fails after a day', async () => {
  const invo = await openInvo();
  expect((await buy(invo, { payment_method_id: 'pm_unknown_lost' })).status).toBe(503);
  await invo.control('POST', 'clock', { now: '2026-11-22T11:59:59Z' });
  expect((await orderOf(invo)).order_status).toBe('pending_payment');
  await invo.control('POST', 'clock', { now: '2026-11-22T12:00:00Z' });
  expect((await orderOf(invo)).order_status).toBe('failed');
  expect(await available(invo)).toBe('5000.00');
});

test('a slow purchase is in flight twice and then done', async () => {
  const invo = await openInvo();
  const slow = (): Promise<Answered> => buy(invo, { payment_method_id: 'pm_slow' });
  expect([(await slow()).body.status, (await slow()).body.status]).toEqual(['pending', 'pending']);
  expect((await slow()).body).toMatchObject({ status: 'success', duplicate: true, new_balance: '5999.00' });
});

test.each([
  ['pm_declined', 402, { error_code: 'card_declined', order_id: expect.any(String), order_status: 'failed' }, 409],
  ['pm_processor_error', 502, { error_code_public: 'PROCESSOR_ERROR', order_id: expect.any(String) }, 409],
  ['pm_no_processor', 503, { error_code_public: 'PROCESSOR_UNAVAILABLE' }, 200],
  ['pm_breaker', 503, { status: 'service_unavailable' }, 200],
])('%s is refused: %i', async (method, status, body, again) => {
  const invo = await openInvo();
  expect(await buy(invo, { payment_method_id: method })).toMatchObject({ status, body });
  expect((await buy(invo)).status).toBe(again);
});

test.each([
  [{ purchase_reference: undefined }, 'MISSING_PURCHASE_REFERENCE'],
  [{ purchase_reference: 'a'.repeat(256) }, 'INVALID_PURCHASE_REFERENCE'],
  [{ purchase_reference: 'SUB_1' }, 'CLIENT_REQUEST_ID_RESERVED'],
  [{ save_card: 'true' }, 'INVALID_SAVE_CARD'],
  [{ usd_amount: '1000.00' }, undefined],
  [{ payment_method_id: '4242424242424242' }, undefined],
  [{ player_email: '' }, undefined],
  [{ metadata: [] }, undefined],
])('a purchase with %j is a 400 %s', async (more, code) => {
  const invo = await openInvo();
  const { status, body } = await buy(invo, more);
  expect([status, body.error_code]).toEqual([400, code]);
});

test('one player’s cap stops no other, and neither does the limit of twenty in a minute', async () => {
  const invo = await openInvo({ isRateLimited: true, meterNowMs: () => 0 });
  expect(await buy(invo, { player_email: 'gus.hale@players.example' })).toMatchObject({
    status: 429,
    body: { error: 'spending_limit_exceeded', message: expect.any(String) },
  });
  for (let number = 0; number < 20; number += 1)
    expect((await buy(invo, { purchase_reference: `buy-${number}`, usd_amount: '1.00' })).status).toBe(200);
  expect((await buy(invo, { purchase_reference: 'buy-20' })).body).toEqual({ error: expect.any(String), retry_after: expect.any(Number) });
  const alias = { purchase_reference: undefined, client_request_id: 'buy-21', player_email: 'new.person@players.example' };
  expect((await buy(invo, alias)).body.new_balance).toBe('999.00');
});
