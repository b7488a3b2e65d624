// @module-tag no-retry
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import {
  eventBody,
  type IntakeEnvironment,
  openIntakeEnvironment,
  SIGNING_SECRET,
  signatureOf,
} from '#e2e/support/webhooks/intake-environment.ts';
import { readForDeliveries } from './read-for-deliveries.ts';
import { findIntakeStatus } from './reads/intake-status.ts';
import { type DeliveryRow, listDeliveries } from './reads/list-deliveries.ts';
import { findStoredDelivery } from './reads/stored-delivery.ts';

let env: IntakeEnvironment;
beforeAll(async () => {
  env = await openIntakeEnvironment();
});
afterAll(() => env.close());

async function listNewest(): Promise<DeliveryRow[]> {
  const page = { sort: 'received_at', dir: 'desc', after: null, limit: 10 } as const;
  return (await listDeliveries(env.db, env, { find: '', chip: 'all', page })).rows;
}
beforeEach(async () => {
  await env.pool.query(`set session_replication_role = replica; delete from delivery_subject; delete from delivery_repeat; delete from delivery;
    delete from delivery_read; set session_replication_role = origin`);
  await env.forgetCalls();
});

const SUBSCRIPTION = 'SUB_1767225600_WITN01AL';
const RENEWED = eventBody('subscription.renewed', { subscription_id: SUBSCRIPTION });
const YEAR_SECONDS = 365 * 86_400;
const under = (key: string) => ({ headers: { 'x-service-idempotency-key': key } });

/** Makes every reading that is due, and returns how many there were. */
async function readAll(): Promise<number> {
  for (let made = 0; ; made += 1) if ((await readForDeliveries({ game: await env.game(), config: env.config })) === null) return made;
}

async function countRows(): Promise<{ deliveries: number; repeats: number; subjects: number; readings: number }> {
  const { rows } = await env.pool.query(
    `select (select count(*)::int from delivery) as deliveries, (select count(*)::int from delivery_repeat) as repeats,
       (select count(*)::int from delivery_subject) as subjects, (select count(*)::int from delivery_read) as readings`,
  );
  return rows[0];
}

/** Everything stored of deliveries but how often and when they came again. */
async function storedState(): Promise<unknown> {
  const { rows } = await env.pool.query(
    `select to_jsonb(d) - '{repeat_count,repeated_at,repeated_slot,repeated_version,late_count,late_at}'::text[] as delivery,
       (select jsonb_agg(to_jsonb(r) order by kind, subject) from delivery_read r) as readings from delivery d order by delivery_id`,
  );
  return rows;
}

// Of one delivery: its row, and 40 rows of repeats. A copy of a captured delivery adds nothing to them once it is late.
const [DELIVERY_ROWS_MAX, REPEAT_ROWS_MAX, READINGS_MAX] = [1, 40, 1];

describe('copies of one captured delivery under keys that someone made up', () => {
  const count = proofSize(100, 100_000);

  test('that come too late change a counter and nothing else', { timeout: 1_800_000 }, async () => {
    await env.deliver({ body: RENEWED });
    expect(await readAll()).toBe(READINGS_MAX);
    const [before, calls] = [await storedState(), (await env.calls()).length];
    const { rows } = await env.pool.query<{ at: number }>(`select floor(extract(epoch from now()))::int as at`);
    const captured = signatureOf(Buffer.from(RENEWED), (rows[0]?.at ?? 0) - YEAR_SECONDS, [SIGNING_SECRET]);
    let readings = 0;
    for (let copy = 0; copy < count; copy += 1) {
      const headers = { 'x-service-signature': captured, 'x-service-idempotency-key': `made up ${copy}` };
      expect((await env.deliver({ body: RENEWED, headers })).status).toBe(400);
      if (copy % 1_000 === 0) readings += await readAll();
    }
    readings += await readAll();
    expect({ readings, calls: (await env.calls()).length }).toEqual({ readings: 0, calls });
    expect(await storedState()).toEqual(before);
    expect(await countRows()).toEqual({ deliveries: 1, repeats: 0, subjects: 1, readings: 1 });
    const [row] = await listNewest();
    expect(row?.receipt_count).toBe(1 + count);
    recordFigure('Late copies of one webhook', `${count.toLocaleString('en')}: 1 row, 0 more readings, 0 more calls`);
  });

  test('that come in time are counted, and open no further reading', { tags: 'proof', timeout: 1_800_000 }, async () => {
    let readings = 0;
    for (let copy = 0; copy < count; copy += 1) {
      expect((await env.deliver({ body: RENEWED, ...under(`made up ${copy}`) })).status).toBe(200);
      if (copy % 1_000 === 0) readings += await readAll();
    }
    readings += await readAll();
    expect(readings).toBe(READINGS_MAX);
    const stored = await countRows();
    expect(stored).toEqual({ deliveries: DELIVERY_ROWS_MAX, repeats: REPEAT_ROWS_MAX, subjects: 1, readings: 1 });
    const [row] = await listNewest();
    expect(row).toMatchObject({ receipt_count: count, state: 'processed' });
    recordFigure(
      'Copies of one webhook in time',
      `${count.toLocaleString('en')}: 1 row and ${stored.repeats} of repeats, ${readings} reading`,
    );
  });

  test('of which the first comes too late open one reading, and one more once Invo signs it in time', { tags: 'proof' }, async () => {
    for (let copy = 0; copy < 20; copy += 1) await env.deliver({ body: RENEWED, skew: -YEAR_SECONDS, ...under(`made up ${copy}`) });
    expect(await readAll()).toBe(1);
    for (let copy = 0; copy < 20; copy += 1) await env.deliver({ body: RENEWED, skew: -YEAR_SECONDS, ...under(`made up ${copy}`) });
    expect(await readAll()).toBe(0);
    for (let copy = 0; copy < 20; copy += 1) await env.deliver({ body: RENEWED, ...under(`in time ${copy}`) });
    expect(await readAll()).toBe(1);
    const [row] = await listNewest();
    expect(row).toMatchObject({ receipt_count: 60, state: 'processed' });
  });

  test('at once from many senders are all counted', { tags: 'proof' }, async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, copy) => env.deliver({ body: RENEWED, skew: copy % 2 === 0 ? 0 : -400, ...under(`k${copy}`) })),
    );
    const [row] = await listNewest();
    expect(row?.receipt_count).toBe(60);
    expect(await countRows()).toMatchObject({ deliveries: 1 });
  });
});

describe('what Invo signs again', () => {
  const hoursLater = (hours: number): string => new Date(Date.parse('2026-11-01T00:00:00Z') + hours * 3_600_000).toISOString();
  const deliverAt = (hours: number, key: string) =>
    env.deliver({ body: RENEWED, at: hoursLater(hours), ...under(key) }, { now: async () => hoursLater(hours) });

  test('within its retries is the same event, and after them one of its own that says no more, such as the next renewal', {
    tags: 'proof',
  }, async () => {
    await deliverAt(0, 'first');
    expect(await readAll()).toBe(1);
    await deliverAt(24, 'second');
    await deliverAt(31.2, 'third');
    expect(await readAll(), 'within 31 h 12 min 30 s').toBe(0);
    await deliverAt(31.3, 'fourth');
    expect(await readAll()).toBe(1);
    await deliverAt(60, 'fifth');
    expect(await readAll()).toBe(0);
    await deliverAt(62.6, 'sixth');
    expect(await readAll()).toBe(1);
    expect(await countRows()).toMatchObject({ deliveries: 1, repeats: 5 });
  });

  test('and what someone plays back late afterwards opens none of these readings again', { tags: 'proof' }, async () => {
    await deliverAt(0, 'first');
    await deliverAt(31.3, 'second');
    await readAll();
    await env.deliver({ body: RENEWED, at: hoursLater(31.3), ...under('third') }, { now: async () => hoursLater(200) });
    await env.deliver({ body: RENEWED, at: hoursLater(0), ...under('fourth') }, { now: async () => hoursLater(200) });
    expect(await readAll()).toBe(0);
  });
});

test('a late copy shows no conflict, gives no key, and is no sign that Invo still delivers', { tags: 'proof' }, async () => {
  await env.deliver({ body: RENEWED, headers: { 'x-service-idempotency-key': null } });
  const other = eventBody('subscription.canceled', { subscription_id: SUBSCRIPTION });
  await env.deliver({ body: other, ...under('other') });
  const before = await storedState();
  const status = await findIntakeStatus(env.db, env.gameId);
  await env.deliver({ body: RENEWED, skew: -400, secrets: ['whsec-test-previous'], ...under('other') });
  expect(await storedState()).toEqual(before);
  const after = await findIntakeStatus(env.db, env.gameId);
  expect([after.last, after.previousUsedAt]).toEqual([status.last, null]);
});

test('a repeat in time is the last delivery of the game, with the secret that verified it, however many came before', {
  tags: 'proof',
}, async () => {
  for (let copy = 0; copy < 45; copy += 1) await env.deliver({ body: RENEWED });
  await env.deliver({ body: RENEWED, secrets: ['whsec-test-previous'], headers: { 'x-service-secret-version': '4' } });
  const { last, previousUsedAt } = await findIntakeStatus(env.db, env.gameId);
  expect(last).toMatchObject({ slot: 'previous', version: '4' });
  expect(previousUsedAt).toBe(last?.receivedAt);
});

test('the page of a delivery lists its first repeats and counts the others', { tags: 'proof' }, async () => {
  for (let copy = 0; copy < 60; copy += 1) await env.deliver({ body: RENEWED });
  await env.deliver({ body: RENEWED, skew: -400 });
  await env.deliver({ body: RENEWED, skew: -900 });
  const [row] = await listNewest();
  const delivery = await findStoredDelivery(env.db, env.gameId, row?.delivery_id ?? 0);
  expect(delivery?.repeats).toHaveLength(20);
  expect(delivery).toMatchObject({ repeatCount: 59, late: { count: 2, lastAt: expect.any(String) }, repeatedAt: expect.any(String) });
});

test('a stored delivery can be counted up by one and not otherwise', async () => {
  await env.deliver({ body: RENEWED });
  const refused = [
    `repeat_count = repeat_count + 2, repeated_at = now()`,
    `repeat_count = -1`,
    `late_count = late_count + 2`,
    `repeated_at = now()`,
    `late_at = now()`,
    `received_at = now()`,
  ];
  for (const change of refused)
    await expect(env.pool.query(`update delivery set ${change} where game_id = $1`, [env.gameId]), change).rejects.toThrow(
      'what was delivered never changes',
    );
  await env.pool.query(`update delivery set late_count = late_count + 1, late_at = now() where game_id = $1`, [env.gameId]);
});
