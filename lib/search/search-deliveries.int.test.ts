import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventBody, type IntakeEnvironment, openIntakeEnvironment } from '#e2e/support/webhooks/intake-environment.ts';
import { listDeliveries } from '#lib/webhooks/reads/list-deliveries.ts';
import { type SearchResult, search } from './search.ts';

const [PURCHASE, DISPUTE] = ['purchase.completed', 'purchase.disputed'];

let env: IntakeEnvironment;
beforeAll(async () => {
  env = await openIntakeEnvironment();
  const deliver = (receipt: string, eventType: string, data: Record<string, unknown>) =>
    env.deliver({
      body: eventBody(eventType, data, { event_id: `evt_body_${receipt}` }),
      headers: { 'x-service-idempotency-key': `whk_${receipt}`, 'x-service-event-id': `evt_head_${receipt}` },
    });
  await deliver('1', 'purchase.completed', { order_id: 'ORD_1' });
  // The same fact again, under ids of its own.
  await deliver('2', 'purchase.completed', { order_id: 'ORD_1' });
  await deliver('3', 'purchase.disputed', { dispute_id: 'dp_1', charge_id: 'ch_1' });
});
afterAll(() => env.close());

const searchAs = async (text: string, canReadDesk: boolean): Promise<SearchResult> =>
  search({ game: await env.game(), config: env.config }, text, { scope: 'local', canSeeEmails: true, canReadDesk });

test.each([
  ['the key', 'whk_1', PURCHASE],
  ['the event ID of the body', 'evt_body_1', PURCHASE],
  ['the event ID of the header', 'evt_head_1', PURCHASE],
  ['the key of a repeat', 'whk_2', PURCHASE],
  ['the event ID of the body of a repeat', 'evt_body_2', PURCHASE],
  ['the event ID of the header of a repeat', 'evt_head_2', PURCHASE],
  ['a dispute it names', 'dp_1', DISPUTE],
  ['a charge it names', 'ch_1', DISPUTE],
])('a webhook delivery is found by %s, in the search and in the list', async (_, text, eventType) => {
  expect(await searchAs(text, true)).toMatchObject({ kind: 'found', hits: [{ kind: 'delivery', eventType }] });
  const page = { sort: 'received_at', dir: 'desc', after: null, limit: 10 } as const;
  const { rows } = await listDeliveries(env.db, env, { chip: 'all', find: text, page });
  expect(rows.map(({ event_type }) => event_type)).toEqual([eventType]);
});

test('an order that a webhook names is found as the order, which lists the webhook', async () => {
  expect(await searchAs('ORD_1', true)).toMatchObject({ kind: 'found', hits: [{ kind: 'order', orderId: 'ORD_1' }] });
});

test('a person without the desk finds no delivery, and a part of a key finds none', async () => {
  expect(await searchAs('whk_1', false)).toMatchObject({ kind: 'no_local_match' });
  expect(await searchAs('whk', true)).toMatchObject({
    kind: 'no_local_match',
    sentence: 'No local transaction ID, order ID, transfer ID, payment intent ID, client_request_id, idempotency key or event ID matches.',
  });
});
