import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventBody, type IntakeEnvironment, openIntakeEnvironment } from '#e2e/support/webhooks/intake-environment.ts';
import { readForDeliveries, sweepDeliveries } from './read-for-deliveries.ts';
import { listRefundsElsewhere } from './reads/period-of-event.ts';
import { claimRead, recordReadFailure } from './writes/delivery-reads.ts';

let env: IntakeEnvironment;
beforeAll(async () => {
  env = await openIntakeEnvironment();
});
afterAll(() => env.close());
beforeEach(() => empty());

async function empty(): Promise<void> {
  await env.pool.query(`set session_replication_role = replica; delete from delivery_subject; delete from delivery_repeat; delete from delivery;
    delete from delivery_read; set session_replication_role = origin`);
}

const SUBSCRIPTION = 'SUB_1767225600_WITN01AL';
// Each refunded by one test: the simulated Invo remembers its requests.
const [PERIOD_ID, EARLIER_PERIOD_ID] = [2_026_100_001, 2_026_090_001];

async function readAll(): Promise<unknown[]> {
  const made: unknown[] = [];
  for (;;) {
    const read = await readForDeliveries({ game: await env.game(), config: env.config });
    if (read === null) return made;
    made.push([read.kind, 'outcome' in read.result ? read.result.outcome : read.result.error]);
  }
}

async function states(): Promise<string[]> {
  const { rows } = await env.pool.query<{ state: string }>(`select state from delivery order by delivery_id`);
  return rows.map(({ state }) => state);
}

const RENEWED = eventBody('subscription.renewed', { subscription_id: SUBSCRIPTION });

test('a delivery that came too late and comes again in time is read again, and a repeat under any key is not', async () => {
  await env.deliver({ body: RENEWED, skew: -400 });
  expect(await readAll()).toEqual([['subscription', 'read']]);
  expect(await states()).toEqual(['stale']);
  await env.deliver({ body: RENEWED });
  expect(await readAll()).toEqual([['subscription', 'read']]);
  expect(await states()).toEqual(['processed']);
  await env.deliver({ body: RENEWED });
  expect(await readAll(), 'a repeat under a known key').toEqual([]);
  await env.deliver({ body: RENEWED, headers: { 'x-service-idempotency-key': 'another key' } });
  expect(await readAll(), 'a repeat under another key').toEqual([]);
  expect(await states()).toEqual(['processed']);
});

test('what is delivered while the last attempt of a reading fails is read', async () => {
  await env.deliver({ body: RENEWED });
  const last = await claimRead(env.db, env.gameId);
  await env.deliver({ body: eventBody('subscription.canceled', { subscription_id: SUBSCRIPTION }) });
  if (last !== null) await recordReadFailure(env.db, { ...last, triedFor_seconds: 90_000 }, 'timeout');
  expect(await states()).toEqual(['failing', 'received']);
  expect(await readAll()).toEqual([['subscription', 'read']]);
  expect(await states()).toEqual(['processed', 'processed']);
});

test('a refund made elsewhere under a key with an email in it is listed, and while two webhooks contradict each other it is not', async () => {
  const refunded = { subscriptionId: SUBSCRIPTION, periodSeq: 10 };
  const refund = { subscription_id: SUBSCRIPTION, period_seq: 10, client_request_id: 'ana@players.example-10', amount_usd: '5.00' };
  await env.control('POST', 'refunds', { period_id: PERIOD_ID, amount_usd: '5.00' });
  await env.deliver({ body: eventBody('subscription.refunded', refund), headers: { 'x-service-idempotency-key': 'refund' } });
  expect(await readAll()).toEqual([['refund', 'refunded_elsewhere']]);
  expect(await listRefundsElsewhere(env.db, env.gameId, refunded)).toHaveLength(1);
  const contradiction = eventBody('subscription.refunded', { ...refund, amount_usd: '6.00' });
  await env.deliver({ body: contradiction, headers: { 'x-service-idempotency-key': 'refund' } });
  await readAll();
  expect(await listRefundsElsewhere(env.db, env.gameId, refunded)).toEqual([]);
});

test('a refund that the report of its period doesn’t show is not listed as made elsewhere, and is looked for again', async () => {
  const refunded = { subscriptionId: SUBSCRIPTION, periodSeq: 9 };
  const claimed = (client_request_id: string) =>
    env.deliver({
      body: eventBody('subscription.refunded', { subscription_id: SUBSCRIPTION, period_seq: 9, client_request_id, amount_usd: '5.00' }),
    });
  await claimed('never-made');
  expect(await readAll()).toEqual([['refund', 'not_in_report']]);
  expect(await states()).toEqual(['received']);
  await env.control('POST', 'refunds', { period_id: EARLIER_PERIOD_ID, amount_usd: '5.00' });
  await claimed('made-in-console');
  expect(await readAll()).toEqual([['refund', 'refunded_elsewhere']]);
  expect(await listRefundsElsewhere(env.db, env.gameId, refunded)).toHaveLength(1);
  // The one that was made is known by then: the other is still not shown by the report.
  await env.pool.query(`update delivery_read set due_at = now() where game_id = $1 and subject = 'never-made'`, [env.gameId]);
  expect(await readAll()).toEqual([['refund', 'not_in_report']]);
  expect(await listRefundsElsewhere(env.db, env.gameId, refunded)).toHaveLength(1);
});

const sale = (usd_amount: string): string => eventBody('purchase.completed', { order_id: 'ORD_1', usd_amount });
const [A, B] = [sale('4.99'), sale('9.99')];
const under = (key: string) => ({ headers: { 'x-service-idempotency-key': key } });

test('a key with two meanings is a conflict, in whatever order and however often its receipts come', { tags: 'proof' }, async () => {
  const receipts = [
    { body: A, ...under('k1') },
    { body: A, ...under('k2') },
    { body: B, ...under('k1') },
  ];
  const orders = receipts.flatMap((first) =>
    receipts
      .filter((each) => each !== first)
      .map((second) => [first, second, ...receipts.filter((each) => each !== first && each !== second)]),
  );
  for (const [index, order] of orders.entries()) {
    await empty();
    for (const receipt of [...order, ...order]) await env.deliver(receipt);
    expect(await states(), `order ${index}`).toEqual(['received', 'conflict']);
  }
  await empty();
  await Promise.all(Array.from({ length: 36 }, (_, index) => env.deliver(receipts[index % 3])));
  expect(await states(), 'all at once').toEqual(['received', 'conflict']);
});

test('a delivery of another game says nothing about a key of this one, until the ID shows that it is this one’s', async () => {
  const foreign = {
    body: eventBody('purchase.completed', { order_id: 'ORD_1', usd_amount: '1.00' }, { tenant_id: '99999' }),
    ...under('k1'),
  };
  const ours = { body: A, ...under('k1') };
  for (const order of [
    [foreign, ours, foreign],
    [ours, foreign, ours],
  ]) {
    await empty();
    for (const receipt of order) await env.deliver(receipt);
    expect((await states()).toSorted()).toEqual(['other_game', 'received']);
  }
  await sweepDeliveries({ game: { ...(await env.game()), invoGameId: '99999' }, config: { ...env.config, gameId: undefined } });
  await sweepDeliveries({ game: { ...(await env.game()), invoGameId: '99999' }, config: { ...env.config, gameId: undefined } });
  expect((await states()).toSorted()).toEqual(['other_game', 'received']);
});
