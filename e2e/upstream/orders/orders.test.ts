import { describe, expect, test } from 'vitest';
import { openState } from '../state/state.ts';
import { openInvo } from '../testing/test-client.ts';
import { addPurchases, addRenewals } from '../webhooks/events.ts';

const ORDER = '/api/currency-purchases/order-details';
const HISTORY = '/api/item-purchases/player-purchase-history?player_email=asa.venn@players.example';

describe('order details', () => {
  test('an order is found by order_id in its own book only, with its status, amounts and player', async () => {
    const invo = await openInvo();
    const { body } = await invo.ask(`${ORDER}?order_id=ORD_BREE_03`);
    expect(body).toMatchObject({
      status: 'success',
      order: { order_id: 'ORD_BREE_03', order_status: 'completed', usd_amount: '9.99', currency_amount: '999.00', player_id: 910_024 },
    });
    expect((await invo.ask(`${ORDER}?order_id=ITO_ASA_01`)).status).toBe(404);
    expect((await invo.ask('/api/item-purchases/order-details?order_id=ITO_ASA_01')).body.order.total_price).toBe('37.50');
    expect((await invo.ask('/api/item-purchases/order-details?order_id=ORD_BREE_05')).body.order.item_name).toBe('Sail dye');
    expect(await invo.ask(ORDER)).toMatchObject({ status: 400, body: { error: 'order_id is required.' } });
  });

  test('the order of a renewal is that of its period', async () => {
    const invo = await openInvo();
    const { body } = await invo.ask(`${ORDER}?order_id=MINT_2026100001`);
    expect(body.order).toMatchObject({ order_status: 'completed', usd_amount: '20.00', transaction_id: 'TXN_2026100001' });
    expect((await invo.ask(`${ORDER}?order_id=MINT_2026100014`)).status, 'the wallet covered it').toBe(404);
  });

  test.each([
    ['flat', 'order_id', 'order_id'],
    ['data', 'order_id', 'data'],
    ['list', 'order_id', 'orders'],
    ['flat+by_transaction_id', 'transaction_id', 'order_id'],
    ['nested+by_purchase_reference', 'purchase_reference', 'order'],
  ])('the shape %s is requested by %s and answers under %s', async (shape, name, field) => {
    const invo = await openInvo();
    await invo.control('POST', 'shape', { 'order-details': shape });
    const ids = { order_id: 'ORD_BREE_03', transaction_id: 'TXN_BREE_03', purchase_reference: 'demo-purchase-03' };
    expect((await invo.ask(`${ORDER}?${name}=${ids[name as keyof typeof ids]}`)).body).toHaveProperty(field);
  });

  test('a shape nobody knows is refused, and a reset forgets every shape', async () => {
    const invo = await openInvo();
    expect((await invo.control('POST', 'shape', { 'order-details': 'round' })).status).toBe(400);
    await invo.control('POST', 'shape', { 'order-details': 'flat' });
    await invo.control('POST', 'reset');
    expect((await invo.control('GET', 'shape')).body).toEqual({});
  });
});

test.each([
  ['items', '{"status":"success","items":[{"order_id":"ITO_ASA_01"'],
  ['bare', '[{"order_id":"ITO_ASA_01"'],
  ['purchases', '{"status":"success","purchases":[{'],
  ['pages', '{"status":"success","data":{"pagination":{"total_count":4'],
  ['empty', '{"status":"success","items":[]}'],
  ['none', '{"status":"success","message"'],
])('the history of items answers in the shape %s', async (shape, start) => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { 'item-history': shape });
  expect((await invo.ask(HISTORY)).text.startsWith(start)).toBe(true);
});

test('a new webhook receives each cleared purchase once', () => {
  const state = openState({ now: '2026-11-08T12:00:00Z' });
  state.outbox('production').register('http://127.0.0.1:9/', ['*']);
  const orders = (): unknown[] =>
    state
      .outbox('production')
      .events()
      .map(({ data }) => data['order_id']);
  const addAll = (): void => {
    addPurchases(state, 'production');
    addRenewals(state, 'production');
  };
  addAll();
  // 01, 02, 04 and 05 were never paid; 13 was made on the day of 03.
  expect(orders().filter(Boolean)).toEqual(['ORD_BREE_03', 'ORD_BREE_06', 'ORD_BREE_07', 'ORD_BREE_08', 'ORD_BREE_13']);
  addAll();
  state.setClock(Date.parse('2026-11-09T12:00:00Z'));
  addAll();
  expect(orders().filter(Boolean).slice(5)).toEqual(['ORD_BREE_09']);
});

test('the history of an unknown player is a 404 or empty, by shape', async () => {
  const invo = await openInvo();
  const path = '/api/item-purchases/player-purchase-history?player_email=nobody@players.example';
  expect((await invo.ask(path)).status).toBe(404);
  await invo.control('POST', 'shape', { 'item-history': 'missing_empty' });
  expect((await invo.ask(path)).body.items).toEqual([]);
});
