import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#db/kit/testing/test-db.ts';
import { countSignIn, forgetSignIns } from './count-sign-in.ts';

let testDb: TestDb;
beforeAll(async () => {
  testDb = await createTestDb();
});
afterAll(async () => await testDb.close());

const TOO_MANY = { ok: false, reason: 'too_many_attempts' };

async function tryTimes(times: number, email: (at: number) => string, source: string): Promise<number> {
  let allowed = 0;
  for (let at = 0; at < times; at += 1) if ((await countSignIn(testDb.db, { email: email(at), source })).ok) allowed += 1;
  return allowed;
}

test('an email allows ten attempts in 15 minutes, from any source and in any case', async () => {
  expect(await tryTimes(14, (at) => (at % 2 ? 'ada@studio.example' : ' ADA@studio.example'), 'one')).toBe(10);
  expect(await countSignIn(testDb.db, { email: 'ada@studio.example', source: 'another' })).toEqual(TOO_MANY);
  expect(await countSignIn(testDb.db, { email: 'bo@studio.example', source: 'one' })).toEqual({ ok: true });
});

test('a refused attempt is not counted, so it does not prolong the wait', async () => {
  expect(await tryTimes(40, () => 'dee@studio.example', 'den')).toBe(10);
  const { rows } = await sql<{ attempt_id: number }>`select attempt_id from sign_in_attempt order by attempt_id desc limit 10`.execute(
    testDb.db,
  );
  const counted = rows.map((row) => row.attempt_id);
  const longAgo = sql<string>`clock_timestamp() - interval '15 minutes 1 second'`;
  await testDb.db.updateTable('sign_in_attempt').set({ attempted_at: longAgo }).where('attempt_id', 'in', counted).execute();
  expect(await countSignIn(testDb.db, { email: 'dee@studio.example', source: 'den' })).toEqual({ ok: true });
  expect(
    await testDb.db
      .selectFrom('sign_in_attempt')
      .select('attempt_id')
      .where('attempt_id', '>', Math.max(...counted))
      .execute(),
  ).toHaveLength(1);
});

test('thirty concurrent attempts count as ten', async () => {
  const ends = await Promise.all(
    Array.from({ length: 30 }, () => countSignIn(testDb.db, { email: 'race@studio.example', source: 'race' })),
  );
  expect(ends.filter((end) => end.ok).length).toBeLessThanOrEqual(10);
});

test('one source allows a hundred attempts', async () => {
  expect(await tryTimes(105, (at) => `person-${at}@studio.example`, 'sweep')).toBe(100);
});

test('a successful sign-in deletes the attempts of its email and all old ones', async () => {
  await tryTimes(10, () => 'cass@studio.example', 'home');
  await forgetSignIns(testDb.db, 'Cass@studio.example');
  expect(await countSignIn(testDb.db, { email: 'cass@studio.example', source: 'home' })).toEqual({ ok: true });
  const { rows } = await sql<{
    count: number;
  }>`select count(*) from sign_in_attempt where attempted_at < clock_timestamp() - interval '15 minutes'`.execute(testDb.db);
  expect(rows).toEqual([{ count: 0 }]);
});

test('stored attempts contain neither an email nor a source', async () => {
  const { rows } = await sql<{ text: string }>`select json_agg(a)::text as text from sign_in_attempt a`.execute(testDb.db);
  expect(rows[0]?.text).not.toMatch(
    new RegExp(['studio', 'sweep', 'home'].flatMap((text) => [text, Buffer.from(text).toString('hex')]).join('|')),
  );
});
