import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { proofSize } from '#e2e/support/proof.ts';
import {
  eventBody,
  type IntakeEnvironment,
  openIntakeEnvironment,
  PREVIOUS_SECRET,
  SIGNING_SECRET,
} from '#e2e/support/webhooks/intake-environment.ts';
import { findIntakeStatus, readIntakeFigures } from './intake-status.ts';

let env: IntakeEnvironment;
beforeAll(async () => {
  env = await openIntakeEnvironment();
});
afterAll(() => env.close());
beforeEach(async () => {
  await env.pool.query(`set session_replication_role = replica; delete from delivery_subject; delete from delivery_repeat; delete from delivery;
    set session_replication_role = origin`);
});

/** Deliveries that came this many seconds ago. */
async function deliveredAgo(...agos: number[]): Promise<void> {
  for (const [index, ago] of agos.entries()) {
    await env.deliver({ body: eventBody('purchase.completed', { order_id: `ORD_${index}_${ago}` }) });
    await env.pool.query(`set session_replication_role = replica; update delivery set received_at = now() - make_interval(secs => ${ago})
      where delivery_id = (select max(delivery_id) from delivery); set session_replication_role = origin`);
  }
}

const gapsFound = async (): Promise<number[]> =>
  (await findIntakeStatus(env.db, env.gameId)).gaps.map(({ from, to }) => Math.round((Date.parse(to) - Date.parse(from)) / 1_000));

const RETRIES = 31 * 3_600 + 12 * 60 + 30;
const DAY = 86_400;

describe('a gap', () => {
  test.each<[string, number[], number[]]>([
    ['is none before the first delivery', [], []],
    ['is none while deliveries come', [3 * DAY, 2 * DAY, DAY, 60], []],
    ['is none as long as Invo retries', [RETRIES + 600 - 1, 600], []],
    ['is one when Invo has stopped before', [RETRIES + 600 + 2, 600], [RETRIES + 2]],
    ['continues while nothing comes', [2 * DAY + 60], [2 * DAY + 60]],
    [
      'is found between many, newest first',
      [12 * DAY, 12 * DAY - 60, 9 * DAY, 8 * DAY, 4 * DAY, 3 * DAY, 2 * DAY, DAY, 60],
      [4 * DAY, 3 * DAY - 60],
    ],
    ['that ended more than 30 days ago is forgotten', [60 * DAY, 40 * DAY, 39 * DAY, 29 * DAY, 28 * DAY, 27 * DAY], [27 * DAY, 10 * DAY]],
    ['that began more than 30 days ago is one', [60 * DAY, 30 * DAY - 60, 29 * DAY, 28 * DAY, 27 * DAY], [27 * DAY, 30 * DAY + 60]],
    ['continues for more than 30 days', [60 * DAY], [60 * DAY]],
  ])('%s', async (_, agos, seconds) => {
    await deliveredAgo(...agos);
    const found = await gapsFound();
    expect(found).toHaveLength(seconds.length);
    for (const [index, gap] of found.entries()) expect(Math.abs(gap - (seconds[index] ?? 0)), `gap ${index}`).toBeLessThanOrEqual(2);
  });

  // Both ends are in the past, so that no clock decides.
  test.each([
    ['31 h 12 min 29 s', -1, 0],
    ['31 h 12 min 30 s', 0, 0],
    ['31 h 12 min 31 s', 1, 1],
  ])('of %s: the last retry decides whether it is one', async (_, more, count) => {
    await deliveredAgo(3 * DAY, 60);
    await env.pool.query(`set session_replication_role = replica; update delivery set received_at = (select min(received_at) from delivery) + interval '31:12:30'
      + make_interval(secs => ${more}) where delivery_id = (select max(delivery_id) from delivery);
      set session_replication_role = origin`);
    // The one that has continued since then is older than the retries too.
    expect(await gapsFound()).toHaveLength(count + 1);
    expect((await gapsFound())[1]).toBe(count === 0 ? undefined : RETRIES + more);
  });

  test('is not hidden by the check of the set-up, and ends with a repeat', async () => {
    await deliveredAgo(3 * DAY);
    await env.deliver({ body: eventBody('sharebook.set_up_check', { check: '1' }) });
    expect(await gapsFound()).toHaveLength(1);
    await env.deliver({ body: eventBody('purchase.completed', { order_id: `ORD_0_${3 * DAY}` }) });
    const { gaps, last } = await findIntakeStatus(env.db, env.gameId);
    expect(gaps.map(({ to }) => to)).toEqual([last?.receivedAt]);
    const [figures] = await readIntakeFigures(env.db);
    expect(figures?.lastAge_seconds, 'monitoring counts a repeat too').toBeLessThan(DAY);
  });
});

test('a delivery both secrets signed is one the previous secret verified', async () => {
  await env.deliver({ body: eventBody('purchase.completed', { order_id: 'ORD_A' }) });
  expect((await findIntakeStatus(env.db, env.gameId)).previousUsedAt).toBeNull();
  await env.deliver({ body: eventBody('purchase.completed', { order_id: 'ORD_B' }), secrets: [SIGNING_SECRET, PREVIOUS_SECRET] });
  const { previousUsedAt, last } = await findIntakeStatus(env.db, env.gameId);
  expect(last?.slot).toBe('both');
  expect(previousUsedAt).toBe(last?.receivedAt);
});

test('the status says what came today, by which secret, and what needs a person', async () => {
  await env.deliver({ body: eventBody('purchase.completed', { order_id: 'ORD_A' }) });
  await env.deliver({ body: eventBody('wallet.migrated', {}) });
  await env.deliver({ body: eventBody('purchase.completed', { order_id: 'ORD_B' }, { tenant_id: '90417' }), secrets: [PREVIOUS_SECRET] });
  const status = await findIntakeStatus(env.db, env.gameId);
  expect(status).toMatchObject({
    last: { slot: 'previous', version: '3' },
    today: { received: 1, unknown_type: 1, other_game: 1 },
    attentionCount: 1,
    refused: [],
    gaps: [],
  });
  expect(status.previousUsedAt).toBe(status.last?.receivedAt);
  expect(await readIntakeFigures(env.db)).toMatchObject([
    { game: 'demo', lastAge_seconds: expect.any(Number), backlog: expect.any(Number), conflicts: 0 },
  ]);
});

test('a flood of refused requests is a few counts, and its bytes are nowhere', { tags: 'proof', timeout: 120_000 }, async () => {
  const { openIntakeBackground } = await import('../../start/intakes.ts');
  const { recordRefusals } = await import('../writes/record-delivery.ts');
  const count = proofSize(500, 10_000);
  let statements = 0;
  const after = openIntakeBackground({
    findGameId: async (slug) => (slug === 'demo' ? env.gameId : null),
    recordRefusals: async (refusals) => {
      statements += refusals.length;
      await recordRefusals(env.db, refusals);
    },
    wake: async () => undefined,
    delay_ms: { refusals: 60_000, wake: 60_000 },
  });
  for (let index = 0; index < count; index += 1) {
    const answer = await env.deliver(
      { body: `{"forged":"canary-${index}"}`, secrets: ['whsec-other'] },
      { onRefused: (reason, body) => after.countRefusal('demo', reason, body) },
    );
    if (answer.status !== 401) throw new Error(`answered ${answer.status}`);
  }
  after.countRefusal('nobody', 'signature', null);
  await after.flush();
  await after.flush();
  expect(statements).toBe(1);
  const { refused } = await findIntakeStatus(env.db, env.gameId);
  expect(refused).toEqual([{ reason: 'signature', count, lastAt: expect.any(String) }]);
  const { rows } = await env.pool.query(`select octet_length(sample_sha256) as length from delivery_refusal`);
  expect(rows).toEqual([{ length: 32 }]);
  expect((await env.pool.query('select 1 from delivery')).rowCount).toBe(0);
});
