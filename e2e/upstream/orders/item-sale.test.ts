import { expect, test } from 'vitest';
import { type Answered, openInvo, type TestInvo } from '../testing/test-client.ts';

const SALE = '/api/item-purchases/purchase-item';
const ASA = 'asa.venn@players.example';
const DYE = {
  client_request_id: 'item-1',
  player_email: ASA,
  item_id: 'dye',
  item_name: 'Sail dye',
  item_quantity: 3,
  unit_price: '12.50',
  total_price: '37.50',
};

const sell = (invo: TestInvo, more: object = {}): Promise<Answered> => invo.post(SALE, { ...DYE, ...more });
const coinsOf = async (invo: TestInvo, email = ASA): Promise<string> =>
  (await invo.control('GET', `wallet?player_email=${email}`)).body.coins;

test('an item is sold once per key, and the sale is an order of its book', async () => {
  const invo = await openInvo();
  const { status, body } = await sell(invo);
  expect([status, body]).toEqual([
    200,
    {
      status: 'success',
      purchase: { transaction_id: expect.stringMatching(/^TXN_ITEM_/), order_id: expect.stringMatching(/^ITO_/) },
      new_balance: '4962.50',
    },
  ]);
  const again = await sell(invo, { item_quantity: 1, total_price: '12.50' });
  expect([again.status, again.body]).toEqual([409, { error: expect.any(String), ...body.purchase }]);
  expect(await coinsOf(invo)).toBe('4962.50');
  const { order } = (await invo.ask(`/api/item-purchases/order-details?order_id=${body.purchase.order_id}`)).body;
  expect(order).toMatchObject({
    purchase_reference: 'item-1',
    total_price: '37.50',
    item_quantity: 3,
    network_fee: '3.75',
    player_id: 910_023,
  });
  const history = (await invo.ask(`/api/item-purchases/player-purchase-history?player_email=${ASA}`)).body;
  expect(history.items[0].order_id).toBe(body.purchase.order_id);
  expect((await invo.control('GET', 'executed?kind=item-sale')).body.executed).toMatchObject([
    { subject: 'item-1', executions: 1, calls: 2 },
  ]);
});

test('a sale that landed before the connection was cut is found sold', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'faults', [{ kind: 'landed_then_reset' }]);
  await expect(sell(invo)).rejects.toThrow();
  expect((await sell(invo)).body).toMatchObject({ transaction_id: expect.any(String), order_id: expect.any(String) });
  expect(await coinsOf(invo)).toBe('4962.50');
});

test.each([
  ['flat', { transaction_id: expect.any(String), order_id: expect.any(String) }],
  ['numbers', { transaction_id: expect.any(Number), order_id: expect.any(Number) }],
  ['no_id', { status: 'success', new_balance: '4962.50' }],
])('a sale answers in the shape %s', async (shape, body) => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { 'item-sale': shape });
  const sold = (await sell(invo)).body;
  expect(sold).toMatchObject(body);
  expect(shape === 'no_id').toBe(!('order_id' in sold));
  if (shape === 'numbers') expect((await invo.ask(`/api/item-purchases/order-details?order_id=${sold.order_id}`)).status).toBe(200);
});

test('a sale without ids is a fault too, and its repeat has them', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'faults', [{ kind: 'item_2xx_without_id' }]);
  expect((await sell(invo)).text).not.toMatch(/_id/);
  expect((await sell(invo)).body.order_id).toMatch(/^ITO_/);
});

test('in the shape forgets a key is forgotten after a day', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { 'item-sale': 'forgets' });
  await sell(invo);
  await invo.control('POST', 'clock', { now: '2026-11-22T11:59:59Z' });
  expect((await sell(invo)).status).toBe(409);
  await invo.control('POST', 'clock', { now: '2026-11-22T12:00:00Z' });
  expect((await sell(invo)).status).toBe(200);
});

test.each([
  [{ item_quantity: 0 }, 'QUANTITY_INVALID'],
  [{ item_quantity: 1.5 }, 'QUANTITY_INVALID'],
  [{ total_price: '37.49' }, 'TOTAL_MISMATCH'],
  [{ unit_price: 12.5 }, 'PRICE_INVALID'],
  [{ unit_price: '12.505' }, 'PRICE_INVALID'],
  [{ item_name: '' }, 'ITEM_REQUIRED'],
  [{ client_request_id: undefined }, 'REQUEST_ID_REQUIRED'],
  [{ item_quantity: 1000, total_price: '12500.00' }, 'INSUFFICIENT_BALANCE'],
  [{ player_email: 'new.person@players.example' }, 'INSUFFICIENT_BALANCE'],
])('a sale with %j is 400 in words, and %s in the shape codes', async (more, code) => {
  const invo = await openInvo();
  const plain = await sell(invo, more);
  expect([plain.status, Object.keys(plain.body)]).toEqual([400, ['error']]);
  await invo.control('POST', 'shape', { 'item-sale': 'codes' });
  expect((await sell(invo, more)).body.error_code).toBe(code);
  expect(await coinsOf(invo)).toBe('5000.00');
});

test('a key that begins with sub_ is reserved, in any case', async () => {
  const invo = await openInvo();
  expect((await sell(invo, { client_request_id: 'Sub_1' })).body.error_code).toBe('CLIENT_REQUEST_ID_RESERVED');
});

test('the sixty-first sale of a player in a minute is refused without a code, and other players aren’t limited', async () => {
  const invo = await openInvo({ isRateLimited: true, meterNowMs: () => 0 });
  for (let number = 0; number < 60; number += 1)
    await sell(invo, { client_request_id: `item-${number}`, item_quantity: 1, total_price: '12.50' });
  const { status, body } = await sell(invo, { client_request_id: 'item-60' });
  expect([status, body]).toEqual([429, { error: expect.any(String), retry_after: expect.any(Number) }]);
  expect((await sell(invo, { client_request_id: 'item-61', player_email: 'wren.ashby@players.example' })).status).toBe(200);
});

test('a sale to a player with two currencies takes the game’s own', async () => {
  const invo = await openInvo();
  expect((await sell(invo, { player_email: 'juno.marl@players.example' })).status).toBe(200);
  const { balances } = (await invo.ask('/api/player-balances/player/by-email/juno.marl@players.example')).body;
  expect(balances.map(({ available_balance }: { available_balance: string }) => available_balance)).toEqual(['1162.50', '-45.50']);
});
