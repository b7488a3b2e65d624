// @module-tag no-retry
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedGame, seedSnapshot } from '#e2e/support/db/row-page-seed.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { LIMITED_KEYS } from '../approvals/rules/approval.ts';
import { findGameSettings } from './reads/game-settings.ts';
import { ensureGame, pinInvoGame } from './writes.ts';

const AURORA = { slug: 'aurora', environment: 'sandbox', name: 'Aurora', timeZone: 'UTC' } as const;
let testDb: TestDb;

beforeAll(async () => {
  testDb = await createTestDb();
});
afterAll(() => testDb.close());

/** The row as stored; `version` changes with every write, whatever it writes. */
async function readRow(): Promise<unknown> {
  const { rows } = await testDb.pool.query(
    `select slug, name, time_zone, invo_game_id, xmin::text as version from game where slug = 'aurora'`,
  );
  expect(rows).toHaveLength(1);
  return rows[0];
}

test('a game stored as configured is read, not written', async () => {
  const { gameId } = await ensureGame(testDb.db, AURORA);
  const row = await readRow();
  expect(await ensureGame(testDb.db, AURORA)).toEqual({ gameId, invoGameId: null, timeZone: 'UTC' });
  expect(await readRow()).toEqual(row);
});

test('the name follows the configuration, and the Invo ID stays', async () => {
  const { gameId } = await ensureGame(testDb.db, AURORA);
  expect(await pinInvoGame(testDb.db, gameId, '71')).toEqual({ is: 'this' });
  expect(await ensureGame(testDb.db, { ...AURORA, name: 'Aurora II' })).toEqual({ gameId, invoGameId: '71', timeZone: 'UTC' });
  expect(await pinInvoGame(testDb.db, gameId, '72')).toEqual({ is: 'pinned_to', invoGameId: '71' });
  expect(await readRow()).toMatchObject({ name: 'Aurora II', invo_game_id: '71' });
});

test('the time zone follows the configuration until something is pulled', async () => {
  const halcyon = { slug: 'halcyon', environment: 'production', name: 'Halcyon', timeZone: 'UTC' } as const;
  const { gameId } = await ensureGame(testDb.db, halcyon);
  const inBerlin = { ...halcyon, timeZone: 'Europe/Berlin' };
  expect(await ensureGame(testDb.db, inBerlin)).toMatchObject({ gameId, timeZone: 'Europe/Berlin' });
  const october = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
  await seedSnapshot(testDb.db, gameId, { ...october, slices: [october] });
  expect(await ensureGame(testDb.db, { ...halcyon, name: 'Halcyon II' })).toMatchObject({ gameId, timeZone: 'Europe/Berlin' });
  expect(await ensureGame(testDb.db, { ...halcyon, name: 'Halcyon II' })).toMatchObject({ gameId, timeZone: 'Europe/Berlin' });
});

test('one game of Invo belongs to one game of an environment, also when two pin it at once', async () => {
  const ids = await Promise.all(['one', 'two'].map((slug) => seedGame(testDb.db, slug)));
  const [first, second] = ids as [number, number];
  const pinned = await Promise.allSettled(ids.map((id) => pinInvoGame(testDb.db, id, '900')));
  expect(pinned.some((each) => each.status === 'fulfilled' && each.value.is === 'this')).toBe(true);
  const { rows } = await testDb.pool.query<{ game_id: number; slug: string }>(`select game_id, slug from game where invo_game_id = '900'`);
  expect(rows).toHaveLength(1);
  const other = rows[0]?.game_id === first ? second : first;
  expect(await pinInvoGame(testDb.db, other, '900')).toEqual({ is: 'of_game', slug: rows[0]?.slug });
});

test('the settings of several games come together, each with its newest response, its last pull if that failed, and its limits', async () => {
  const [used, fresh] = [await seedGame(testDb.db, 'used'), await seedGame(testDb.db, 'fresh')];
  const october = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
  const { snapshotId } = await seedSnapshot(testDb.db, used, october);
  const { pull_id } = await testDb.db
    .selectFrom('snapshot')
    .select('pull_id')
    .where('snapshot_id', '=', snapshotId)
    .executeTakeFirstOrThrow();
  const answer = {
    game_id: used,
    pull_id,
    purpose: 'page',
    request: '{}',
    body: Buffer.alloc(1),
    sha256: Buffer.alloc(32),
    inflated_byte_count: 1,
  };
  await testDb.db
    .insertInto('response')
    .values([
      { ...answer, status: 200, received_at: '2026-11-01T00:00:01.5Z' },
      { ...answer, status: 503, received_at: '2026-11-01T00:00:02.25Z' },
    ])
    .execute();
  const limit = { game_id: used, set_by: 'fiona' };
  await testDb.db
    .insertInto('refund_limit')
    .values([
      { ...limit, name: 'support', limit_usd: '25.5000' },
      { ...limit, name: 'finance', limit_usd: '900' },
    ])
    .execute();
  await testDb.db
    .insertInto('action_limit')
    .values({ ...limit, name: 'items_support', limit_amount: '7' })
    .execute();

  const settings = await findGameSettings(testDb.db, [used, fresh]);
  expect(settings.get(used)).toMatchObject({
    health: { lastAnswer: { at: '2026-11-01T00:00:02.25Z', status: 503, wasRefused: false }, lastFailure: null },
    limits: { refunds: { set: { support: '25.5000', finance: '900' }, raises: [] }, items: { set: { support: '7' }, raises: [] } },
  });
  const NO_LIMITS = Object.fromEntries(LIMITED_KEYS.map((what) => [what, { set: {}, raises: [] }]));
  const never = { invoGameId: null, previousSecretUsedAt: null, isPreviousSecretInUse: false, lastAnswer: null, lastFailure: null };
  expect(settings.get(fresh)).toEqual({ health: never, limits: NO_LIMITS, policies: [], arePayoutsPaused: false });
  expect(await findGameSettings(testDb.db, [])).toEqual(new Map());

  const failure = { state: 'failed', failure_code: 'timeout', failure_message: 'No answer.', failure_error_id: 'err-7' };
  await testDb.db.updateTable('pull').set(failure).where('pull_id', '=', pull_id).execute();
  const after = await findGameSettings(testDb.db, [used]);
  expect(after.get(used)?.health.lastFailure).toMatchObject({ sentence: 'No answer.', errorId: 'err-7' });
});
