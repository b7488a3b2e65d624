// @module-tag no-retry
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '#db/kit/open.ts';
import { inUtc } from '#e2e/citus/test-cluster.ts';
import { rewriteChain } from '#e2e/support/evidence/rewrite-chain.ts';
import { withTampering } from '#e2e/support/tampered-view.ts';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { findChainHead } from '../reads/snapshots.ts';
import { verifyGame } from './verify-game.ts';

const DAYS = [1, 2, 3].map((day) => ({ start: `2026-10-0${day}T00:00:00Z`, end: `2026-10-0${day + 1}T00:00:00Z` }));
let testEnv: TestEnvironment;
let gameId: number;

/** Three days, so three links. */
beforeAll(async () => {
  testEnv = await openTestEnvironment();
  for (const day of DAYS) await testEnv.pull(day);
  gameId = (await testEnv.game()).gameId;
});
afterAll(() => testEnv.close());

const headOf = async (view: Db): Promise<{ position: number; digest: string }> =>
  (await findChainHead(view, gameId)) ?? { position: 0, digest: 'none' };

/** What verification finds after a change of the rows, with the heads exported before it. */
async function findAfter(
  change: (client: pg.PoolClient, view: Db) => Promise<void>,
  { withHead = false }: { withHead?: boolean } = {},
): Promise<string[]> {
  const heads = withHead ? [await headOf(testEnv.db)] : [];
  return withTampering(testEnv.pool, change, async (view) => {
    const { violations } = await verifyGame(view, gameId, undefined, heads);
    return violations.map(({ name }) => name);
  });
}

describe('snapshots stored before version 2', () => {
  test.each([1, 2, 3])('keep their digests and pass verification: the first %i of three', async (oldUntil) => {
    expect(await findAfter((client, view) => rewriteChain(view, client, gameId, oldUntil))).toEqual([]);
  });

  test('are verified by their own rule: a changed control total is found', { tags: 'proof' }, async () => {
    const change = async (client: pg.PoolClient, view: Db): Promise<void> => {
      await rewriteChain(view, client, gameId, 2);
      await client.query('update snapshot set net_attributed_usd = net_attributed_usd + 1 where chain_no = 2');
    };
    expect(await findAfter(change)).toContain('snapshot_digest');
  });

  test('lose nothing when their recipients have no salt', { tags: 'proof' }, async () => {
    const change = async (client: pg.PoolClient, view: Db): Promise<void> => {
      await rewriteChain(view, client, gameId, 3);
      await client.query('delete from recipient_salt');
    };
    expect(await findAfter(change)).toEqual([]);
  });
});

describe('a rewritten history', () => {
  const backdate = async (client: pg.PoolClient, view: Db): Promise<void> => {
    await client.query(inUtc(`update snapshot set created_at = created_at - interval '30 days' where chain_no = 2`));
    await rewriteChain(view, client, gameId);
  };
  const cutOff = async (client: pg.PoolClient, view: Db): Promise<void> => {
    const last = '(select max(snapshot_id) from snapshot)';
    await client.query(`update pull set snapshot_id = null where snapshot_id = ${last}`);
    for (const table of ['response', 'current_window', 'snapshot_slice', 'snapshot_check', 'snapshot_recipient', 'snapshot'])
      await client.query(`delete from ${table} where snapshot_id = ${last}`);
    await rewriteChain(view, client, gameId);
  };
  const downgrade = async (client: pg.PoolClient, view: Db): Promise<void> => rewriteChain(view, client, gameId, 3);

  test.each([
    ['a link dated back', backdate],
    ['the newest link cut off', cutOff],
    ['links of an older version', downgrade],
  ])('is sound in itself and contradicts the head that was exported: %s', async (_, change) => {
    expect(await findAfter(change)).toEqual([]);
    expect(await findAfter(change, { withHead: true })).toEqual(['exported_head']);
  });

  test('a chain that only grew still has the head that was exported', { tags: 'proof' }, async () => {
    const head = await headOf(testEnv.db);
    await testEnv.pull({ start: '2026-10-04T00:00:00Z', end: '2026-10-05T00:00:00Z' });
    const { violations } = await verifyGame(testEnv.db, gameId, undefined, [head]);
    expect(violations).toEqual([]);
    expect(await headOf(testEnv.db)).toMatchObject({ position: head.position + 1 });
  });
});

test('pulling the same facts again adds a link with the same facts digest', async () => {
  const [day] = DAYS;
  if (!day) throw new Error('no day');
  await testEnv.pull(day, { isFresh: true });
  const { rows } = await testEnv.pool.query<{ facts: Buffer; digest: Buffer }>(
    'select facts_digest as facts, digest from snapshot where window_start = $1 order by chain_no',
    [day.start],
  );
  const [first, second] = rows;
  expect(rows).toHaveLength(2);
  expect(second?.facts).toEqual(first?.facts);
  expect(second?.digest).not.toEqual(first?.digest);
});
