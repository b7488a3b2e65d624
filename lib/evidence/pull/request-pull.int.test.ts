import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { monthWindow } from '#lib/core/month.ts';
import type { Window } from '#lib/core/window.ts';
import { ensureGame } from '#lib/games/writes.ts';
import { requestPull } from './request-pull.ts';

const NOW = '2026-11-22T10:00:00Z';

let testDb: TestDb;
beforeAll(async () => {
  testDb = await createTestDb();
});
afterAll(() => testDb.close());

async function request(window: Window) {
  const { gameId } = await ensureGame(testDb.db, { slug: 'demo', environment: 'production', name: 'Demo', timeZone: 'Asia/Tokyo' });
  return await requestPull(testDb.db, { gameId, window, isFresh: false, requestedBy: 'test', now: NOW, settleLag_minutes: 15 });
}

test.each([
  ['a mistyped year', monthWindow('0206-11', 'UTC'), 'too_early'],
  ['the month before the one ten years ago', monthWindow('2016-10', 'Asia/Tokyo'), 'too_early'],
  ['the next month', monthWindow('2026-12', 'UTC'), 'not_started'],
  ['a mistyped end', { start: '2026-10-01T00:00:00Z', end: '9206-10-01T00:00:00Z' }, 'too_long'],
])('%s is refused and leaves no pull', async (_, window, reason) => {
  expect(await request(window)).toEqual({ ok: false, reason });
  expect(await testDb.db.selectFrom('pull').select('pull_id').where('window_start', '=', window.start).execute()).toEqual([]);
});

test('the month ten years ago is pulled, in any time zone', async () => {
  expect(await request(monthWindow('2016-11', 'Asia/Tokyo'))).toMatchObject({ ok: true, isNew: true });
});
