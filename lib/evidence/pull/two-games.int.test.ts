import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { ensureGame } from '#lib/games/writes.ts';
import { claimPull, insertPull } from '../writes/pull-queue.ts';

let testDb: TestDb;
beforeAll(async () => {
  testDb = await createTestDb();
});
afterAll(() => testDb.close());

const OCTOBER = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
const SEPTEMBER = { start: '2026-09-01T00:00:00Z', end: '2026-10-01T00:00:00Z' };

test('a process claims only the requested pull, and only of one game', async () => {
  const { db } = testDb;
  const [one, other] = await Promise.all(
    ['one', 'other'].map((slug) => ensureGame(db, { slug, environment: 'production', name: slug, timeZone: 'UTC' })),
  );
  const insert = (gameId: number, window: typeof OCTOBER) => insertPull(db, { gameId, window, isFresh: false, requestedBy: 'test' });
  await insert(one?.gameId ?? 0, OCTOBER);
  const september = await insert(one?.gameId ?? 0, SEPTEMBER);
  const theirs = await insert(other?.gameId ?? 0, OCTOBER);
  expect(await claimPull(db, 'me', { gameId: other?.gameId ?? 0, pullId: september.pullId })).toBeNull();
  expect(await claimPull(db, 'me', { gameId: one?.gameId ?? 0, pullId: september.pullId })).toMatchObject({ pullId: september.pullId });
  expect(await claimPull(db, 'me', { gameId: other?.gameId ?? 0 })).toMatchObject({ gameId: other?.gameId, pullId: theirs.pullId });
});
