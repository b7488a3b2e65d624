import { afterEach, expect, test } from 'vitest';
import { control } from '../pages/simulated-invo.ts';
import { request, search, visit } from '../pages/visit.ts';

afterEach(async () => {
  await control('faults', {}, 'DELETE');
  await control('shape', { 'order-details': null, 'item-order-details': null });
});

const visitOrder = async (id: string) => await visit(`/demo/orders/${id}`, 'support');

test('an order says its status in words, and has no refund button but says why', async () => {
  const page = await visitOrder('ORD_BREE_02');
  const card = page.region('Currency purchase');
  for (const words of ['Awaiting bank check', 'Nothing has been charged.', '9.99', 'This order can’t be refunded from here'])
    expect(card.text).toContain(words);
  expect(page.buttons.filter((name) => /refund/i.test(name))).toEqual([]);
  expect(page.html).not.toMatch(/canary|bree\.okoro@/);
  expect(card.link('Bree Okoro')).toBe('/demo/players/910024');
});

test('a status nobody documents is shown as it came', async () => {
  expect((await visitOrder('ORD_BREE_10')).region('Currency purchase').text).toContain('held_for_review');
});

test('an ID that both order books know shows two orders', async () => {
  const page = await visitOrder('ORD_BREE_05');
  expect(page.text).toContain('They are two different orders.');
  expect(page.region('Item purchase').text).toContain('Sail dye');
});

test('an order of several items is listed with the price of all of them', async () => {
  expect((await visitOrder('ITO_ASA_01')).region('Item purchase').text).toContain('37.50');
  expect((await search('asa.venn@players.example')).matches[0]?.href).toBe('/demo/players/910023');
  const row = (await visit('/demo/players/910023/orders', 'support')).region('Orders known to Sharebook').row(/ITO_ASA_01/);
  expect(row.text).toContain('37.50');
  expect(row.text).not.toContain('12.50');
});

test('the order of a renewal leads to its period, and is not counted as a second charge', async () => {
  const page = await visitOrder('MINT_2026100001');
  expect(page.region('This order charged a subscription renewal').text).toContain('not a second one');
  expect(page.text).not.toContain('can’t be refunded from here');
  expect(page.link('period 2026100001')).toBe('/demo/periods/2026100001');
});

test('an answer about another order is no answer', async () => {
  await control('shape', { 'order-details': 'other', 'item-order-details': 'other' });
  const page = await visitOrder('ORD_BREE_11');
  expect(page.text).toContain('Couldn’t load this order from Invo. Nothing is stored yet.');
  expect(page.text).not.toContain('Refunded in full');
});

test('a stored order is shown with its age while Invo is away, and an unknown ID is reported as unknown', async () => {
  expect((await visitOrder('ORD_BREE_07')).region('Currency purchase').text).toContain('Dispute lost');
  await control('faults', [{ kind: '503', times: 50 }]);
  const stored = await visitOrder('ORD_BREE_07');
  expect(stored.text).toContain('Showing data from');
  expect(stored.region('Currency purchase').text).toContain('Dispute lost');
  await control('faults', {}, 'DELETE');
  expect((await visitOrder('ORD_NOWHERE')).headings()).toContain('Order ORD_NOWHERE isn’t in this game and environment');
});

test('an ID that could lead to another address is not found, and Invo isn’t called', async () => {
  await control('calls', {}, 'DELETE');
  for (const id of ['a%2Fb', '%252e%252e', 'a%20b', 'x'.repeat(101)]) expect((await visitOrder(id)).status, id).toBe(404);
  const { calls } = (await control('calls', undefined, 'GET')) as { calls: { path: string }[] };
  expect(calls.filter(({ path }) => path.includes('order-details'))).toEqual([]);
});

test('a viewer has no desk: no order, transfer or tab of a player, and no link to them', async () => {
  for (const path of [
    'orders/ORD_BREE_03',
    'transfers',
    'transfers/TRF_CLAIM',
    ...['', '/cards', '/orders', '/subscriptions', '/loyalty', '/transfers'].map((tab) => `players/910023${tab}`),
  ])
    expect((await request(`/demo/${path}`, 'viewer')).status, path).toBe(403);
  expect((await visit('/demo/months', 'viewer')).links).not.toContain('Transfers');
  expect((await search('ORD_BREE_03', 'viewer')).sentence).toContain('No local');
});
