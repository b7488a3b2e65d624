import { expect, test } from 'vitest';
import { openInvo, type TestInvo } from '../testing/test-client.ts';

/** An order of 9.99 that bree.okoro has just paid: 999.00 coins beside −45.50. */
async function openPaid(): Promise<TestInvo> {
  const invo = await openInvo();
  await invo.control('POST', 'webhooks', { url: 'http://127.0.0.1:9/' });
  await invo.control('POST', 'challenge', { order_id: 'ORD_BREE_02', outcome: 'done' });
  await invo.post('/api/currency-purchases/confirm-payment', { payment_intent_id: 'pi_bree_02', order_id: 'ORD_BREE_02' });
  return invo;
}

const statusOf = async (invo: TestInvo): Promise<string> =>
  (await invo.ask('/api/currency-purchases/order-details?order_id=ORD_BREE_02')).body.order.order_status;
const coinsOf = async (invo: TestInvo): Promise<string> =>
  (await invo.control('GET', 'wallet?player_email=bree.okoro@players.example')).body.coins;
const lastEvent = async (invo: TestInvo): Promise<Record<string, unknown>> =>
  (await invo.control('GET', 'deliveries')).body.deliveries.at(-1);
const OF = { order_id: 'ORD_BREE_02' };

test('a dispute takes the coins only when it is lost', async () => {
  const invo = await openPaid();
  await invo.control('POST', 'dispute', { ...OF, outcome: 'open' });
  expect([await statusOf(invo), await coinsOf(invo)]).toEqual(['completed', '953.50']);
  await invo.control('POST', 'dispute', { ...OF, outcome: 'won' });
  expect([await statusOf(invo), await coinsOf(invo)]).toEqual(['completed', '953.50']);
  await invo.control('POST', 'dispute', { ...OF, outcome: 'lost' });
  expect([await statusOf(invo), await coinsOf(invo)]).toEqual(['disputed_lost', '-45.50']);
  expect(await lastEvent(invo)).toMatchObject({ event_type: 'purchase.disputed' });
});

test('a refund by admin tooling takes its share of the coins, and only a whole one changes the order', async () => {
  const invo = await openPaid();
  await invo.control('POST', 'admin-refund', { ...OF, usd: '4.99' });
  expect([await statusOf(invo), await coinsOf(invo)]).toEqual(['completed', '454.50']);
  await invo.control('POST', 'admin-refund', { ...OF, usd: '5.00' });
  expect([await statusOf(invo), await coinsOf(invo)]).toEqual(['refunded', '-45.50']);
  expect((await invo.control('POST', 'admin-refund', { ...OF, usd: '9.99' })).status).toBe(404);
});

test('a fraud warning changes nothing', async () => {
  const invo = await openPaid();
  await invo.control('POST', 'fraud', { ...OF, recommendation: 'consider_refund' });
  expect([await statusOf(invo), await coinsOf(invo)]).toEqual(['completed', '953.50']);
  expect(await lastEvent(invo)).toMatchObject({ event_type: 'purchase.fraud_warning' });
});
