import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { countSignIn, forgetSignIns, type SignInAttempt } from './count-sign-in.ts';

let testDb: TestDb;
beforeAll(async () => {
  testDb = await createTestDb();
});
afterAll(async () => await testDb.close());
beforeEach(async () => void (await testDb.db.deleteFrom('sign_in_attempt').execute()));

const ADA = 'ada@studio.example';
const TOO_MANY = { ok: false, reason: 'too_many_attempts' };

async function attempt(email: string, source: string, browser: string | null = null): Promise<unknown> {
  return await countSignIn(testDb.db, { email, source, browser });
}

async function tryTimes(times: number, attemptAt: (attemptAt: number) => Partial<SignInAttempt>): Promise<number> {
  let allowed = 0;
  for (let index = 0; index < times; index += 1) {
    if ((await countSignIn(testDb.db, { email: ADA, source: 'one', browser: null, ...attemptAt(index) })).ok) allowed += 1;
  }
  return allowed;
}

async function countStored(): Promise<number> {
  return (await testDb.db.selectFrom('sign_in_attempt').select('attempt_id').execute()).length;
}

test('an email allows ten attempts from one source in 15 minutes, in any case, and as many from another', async () => {
  expect(await tryTimes(14, (index) => ({ email: index % 2 ? ADA : ' ADA@studio.example' }))).toBe(10);
  expect(await attempt(ADA, 'another')).toEqual({ ok: true });
  expect(await attempt('bo@studio.example', 'one')).toEqual({ ok: true });
});

test('a person signs in from a browser they used before, however many wrong passwords others try', async () => {
  expect(await tryTimes(120, (index) => ({ source: `source ${index}` }))).toBe(100);
  expect(await attempt(ADA, 'new source')).toEqual(TOO_MANY);
  expect(await attempt(ADA, 'new source', 'her browser')).toEqual({ ok: true });
});

test('a person signs in from a browser they used before, whatever others try from the same source', async () => {
  expect(await tryTimes(105, (index) => ({ email: `person-${index}@studio.example` }))).toBe(100);
  expect(await attempt(ADA, 'one')).toEqual(TOO_MANY);
  expect(await attempt(ADA, 'one', 'her browser')).toEqual({ ok: true });
});

test('a known browser allows ten attempts, which count against nothing else', async () => {
  expect(await tryTimes(14, () => ({ browser: 'her browser' }))).toBe(10);
  expect(await attempt(ADA, 'one')).toEqual({ ok: true });
});

test('a refused attempt is not counted, so it does not prolong the wait', async () => {
  expect(await tryTimes(40, () => ({}))).toBe(10);
  const longAgo = sql<string>`clock_now() - interval '15 minutes 1 second'`;
  await testDb.db.updateTable('sign_in_attempt').set({ attempted_at: longAgo }).execute();
  expect(await attempt(ADA, 'one')).toEqual({ ok: true });
});

test('attempts that no longer count are deleted with the next one of anybody', async () => {
  await tryTimes(30, (index) => ({ email: `person-${index}@studio.example` }));
  const longAgo = sql<string>`clock_now() - interval '15 minutes 1 second'`;
  await testDb.db.updateTable('sign_in_attempt').set({ attempted_at: longAgo }).execute();
  await attempt('bo@studio.example', 'elsewhere');
  expect(await countStored()).toBe(1);
});

test('thirty concurrent attempts count as ten', async () => {
  const ends = await Promise.all(Array.from({ length: 30 }, () => countSignIn(testDb.db, { email: ADA, source: 'race', browser: null })));
  expect(ends.filter((end) => end.ok).length).toBeLessThanOrEqual(10);
});

test('a successful sign-in deletes the attempts of its email from its source', async () => {
  await tryTimes(10, () => ({ source: 'home' }));
  await attempt(ADA, 'elsewhere');
  await forgetSignIns(testDb.db, { email: 'Ada@studio.example', source: 'home', browser: null });
  expect(await countStored()).toBe(1);
  expect(await attempt(ADA, 'home')).toEqual({ ok: true });
});

test('stored attempts contain neither an email nor a source nor the mark of a browser', async () => {
  await attempt(ADA, 'home', 'her browser');
  const { rows } = await sql<{ text: string }>`select json_agg(a)::text as text from sign_in_attempt a`.execute(testDb.db);
  expect(rows[0]?.text).not.toMatch(
    new RegExp(['studio', 'home', 'her browser'].flatMap((text) => [text, Buffer.from(text).toString('hex')]).join('|')),
  );
});
