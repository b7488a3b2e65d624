import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedGame, seedSnapshot } from '#e2e/support/db/row-page-seed.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import type { Window } from '#lib/core/window.ts';
import { findMonthSnapshot, monthSnapshotOf } from './month-snapshot.ts';
import { findMonth, listMonths, type WindowFacts } from './months.ts';
import { findPull } from './pulls.ts';
import { findReconciliation } from './snapshots.ts';

const SEPTEMBER = { start: '2026-09-01T00:00:00Z', end: '2026-10-01T00:00:00Z' };
const OCTOBER = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
const NOVEMBER = { start: '2026-11-01T00:00:00Z', end: '2026-12-01T00:00:00Z' };

let testDb: TestDb;
let gameId: number;
beforeAll(async () => {
  testDb = await createTestDb();
  gameId = await seedGame(testDb.db);
});
afterAll(() => testDb.close());

async function list(ofGame: number, windows: Window[]): Promise<WindowFacts[]> {
  return (await listMonths(testDb.db, { gameId: ofGame, timeZone: 'UTC' }, windows)).windows;
}

test('a window that was never pulled has no snapshot, and results keep the requested order', async () => {
  const facts = await list(gameId, [NOVEMBER, SEPTEMBER]);
  expect(facts).toEqual([
    { window: NOVEMBER, snapshot: null, newer: null, recheck: null, drift: null, pull: null, run: null, readAt: expect.any(String) },
    { window: SEPTEMBER, snapshot: null, newer: null, recheck: null, drift: null, pull: null, run: null, readAt: expect.any(String) },
  ]);
});

test('a complete snapshot is the current one of its window, and a newer one that doesn’t reconcile is named beside it', async () => {
  const complete = await seedSnapshot(testDb.db, gameId, OCTOBER);
  const [before] = await list(gameId, [OCTOBER]);
  expect(before).toMatchObject({
    snapshot: { snapshotId: complete.snapshotId, status: 'complete' },
    newer: null,
    pull: { state: 'done' },
  });

  const inconsistent = await seedSnapshot(testDb.db, gameId, { ...OCTOBER, status: 'inconsistent' });
  const [after] = await list(gameId, [OCTOBER]);
  expect(after).toMatchObject({ snapshot: { snapshotId: complete.snapshotId }, newer: { snapshotId: inconsistent.snapshotId } });
  const shown = { window: OCTOBER, snapshotId: complete.snapshotId, newerId: inconsistent.snapshotId };
  const { snapshots } = await findReconciliation(testDb.db, gameId, shown);
  expect(snapshots.map((each) => each.status)).toEqual(['inconsistent', 'complete']);
});

test('totals keep every digit and instants are text in UTC', async () => {
  const { snapshotId } = await seedSnapshot(testDb.db, gameId, SEPTEMBER);
  const base = await testDb.db.selectFrom('snapshot').selectAll().where('snapshot_id', '=', snapshotId).executeTakeFirstOrThrow();
  const { snapshot_id: _, ...rest } = base;
  const reasons = JSON.stringify({ spend_order_not_found: 2 });
  const net_attributed_usd = '123456789012345678.1234';
  await testDb.db
    .insertInto('snapshot')
    .values({ ...rest, chain_no: 900, net_attributed_usd, unattributed_reasons: reasons, renewals_settled_then_fully_reversed: null })
    .execute();
  const [facts] = await list(gameId, [SEPTEMBER]);
  expect(facts?.snapshot).toMatchObject({
    chainNo: 900,
    coveredUntil: '2026-10-01T00:00:00Z',
    totals: { net_attributed_usd, unattributed_reasons: { spend_order_not_found: 2 }, renewals_settled_then_fully_reversed: null },
  });
});

test('the last re-check of a snapshot is returned, and the checks that match are counted', async () => {
  const window = { start: '2026-08-01T00:00:00Z', end: '2026-09-01T00:00:00Z' };
  const { snapshotId } = await seedSnapshot(testDb.db, gameId, window);
  const { pull_id } = await testDb.db
    .selectFrom('snapshot')
    .select('pull_id')
    .where('snapshot_id', '=', snapshotId)
    .executeTakeFirstOrThrow();
  const look = { game_id: gameId, snapshot_id: snapshotId, pull_id, call_count: 1 };
  const check = { game_id: gameId, snapshot_id: snapshotId, severity: 'hard', expected: '1', actual: '1', offenders: '[]' };
  await testDb.db
    .insertInto('snapshot_check')
    .values([
      { ...check, check_no: 1, name: 'a', ok: true },
      { ...check, check_no: 2, name: 'b', ok: false },
    ])
    .execute();
  await testDb.db
    .insertInto('recheck')
    .values([
      { ...look, is_equal: false },
      { ...look, is_equal: true },
    ])
    .execute();
  const [facts] = await list(gameId, [window]);
  expect(facts).toMatchObject({ recheck: { isEqual: true, callCount: 1 }, snapshot: { checkCount: 2, checkOkCount: 1 } });
});

test('a month that doesn’t reconcile comes with its failing hard checks in order, and a newer snapshot with its totals', async () => {
  const window = { start: '2026-07-01T00:00:00Z', end: '2026-08-01T00:00:00Z' };
  const { snapshotId } = await seedSnapshot(testDb.db, gameId, { ...window, status: 'inconsistent' });
  const check = { game_id: gameId, snapshot_id: snapshotId, expected: '1', actual: '2', offenders: '[]' };
  const rows = [
    { ...check, check_no: 2, name: 'second', severity: 'hard', ok: false },
    { ...check, check_no: 1, name: 'first', severity: 'hard', ok: false, difference: '1' },
    { ...check, check_no: 3, name: 'third', severity: 'warning', ok: false },
    { ...check, check_no: 4, name: 'fourth', severity: 'hard', ok: true },
  ];
  await testDb.db.insertInto('snapshot_check').values(rows).execute();
  const found = await findMonth(testDb.db, gameId, { window, before: SEPTEMBER });
  expect(found.month.failingChecks).toMatchObject([{ name: 'first', difference: '1', offenders: [] }, { name: 'second' }]);
  expect(found.before.snapshot?.totals.net_attributed_usd).toBe('123456789012345678.1234');

  const later = await findMonth(testDb.db, gameId, { window: OCTOBER, before: window });
  const { newer } = later.month;
  const stored = await testDb.db
    .selectFrom('snapshot')
    .select(['created_at as createdAt', 'gross_attributed_usd', 'reversed_attributed_usd', 'net_attributed_usd'])
    .where('snapshot_id', '=', newer?.snapshotId ?? 0)
    .executeTakeFirstOrThrow();
  expect(newer).toMatchObject(stored);
  expect(later.month.failingChecks).toEqual([]);
});

test('the windows that come with a month give the same snapshot as reading them alone', async () => {
  const game = { gameId, slug: 'starfall', environment: 'production' as const, timeZone: 'UTC' };
  const { month } = await findMonth(testDb.db, gameId, { window: OCTOBER, before: SEPTEMBER });
  const alone = await findMonthSnapshot(testDb.db, game, '2026-10');
  expect(alone).toMatchObject({ previousSnapshotId: expect.any(Number) as number, hasEarlier: true });
  expect(monthSnapshotOf(game, '2026-10', month.windows)).toEqual(alone);
  expect(monthSnapshotOf(game, '2026-12', month.windows)).toBeNull();
});

test('another game has its own months and its own pulls', async () => {
  const other = await seedGame(testDb.db, 'other');
  const [own] = await list(gameId, [OCTOBER]);
  const [facts] = await list(other, [OCTOBER]);
  expect(facts).toMatchObject({ snapshot: null, pull: null });
  const pullId = own?.pull?.pullId ?? 0;
  expect(await findPull(testDb.db, gameId, pullId)).toMatchObject({ pullId, state: 'done', failure: null });
  expect(await findPull(testDb.db, other, pullId)).toBeNull();
});
