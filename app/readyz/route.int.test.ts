import { afterAll, beforeAll, expect, test } from 'vitest';
import { poolOf } from '#db/kit/open.ts';
import { closeServerContext } from '#e2e/support/db/server-context.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { db } from '../_server/server-context.ts';
import { GET } from './route.ts';

let testDb: TestDb;
beforeAll(async () => {
  testDb = await createTestDb();
  process.env['DATABASE_URL'] = testDb.url;
});
afterAll(async () => {
  await closeServerContext();
  await testDb.close();
});

test('readiness answers while the pages hold every connection of their own', async () => {
  const held = await Promise.all(Array.from({ length: poolOf(db()).options.max ?? 0 }, () => poolOf(db()).connect()));
  expect(held.length).toBeGreaterThan(0);
  const answer = await GET();
  for (const client of held) client.release();
  expect([answer.status, await answer.json()]).toEqual([200, { status: 'ready' }]);
});
