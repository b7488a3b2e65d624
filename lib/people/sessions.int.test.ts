import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDb } from '#db/kit/open.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { seedPerson, seedSession } from '#e2e/support/people/seed-people.ts';
import { seedFactor } from '#e2e/support/two-factor/seed-factor.ts';
import { ensureGame } from '#lib/games/writes.ts';
import { requireFactor } from '#lib/two-factor/manage-factors.ts';
import { disablePerson } from './manage-people.ts';
import { findStoredSession, type StoredSession } from './reads.ts';
import { replaceToken } from './writes/people.ts';

let testDb: TestDb;
let adminId: string;
let personId: string;
let token: string;
/** Another process: connections of its own. */
let other: ReturnType<typeof openDb>;

beforeAll(async () => {
  testDb = await createTestDb();
  other = openDb(testDb.url, { poolSize: 1 });
  adminId = await seedPerson(testDb.db, 'ada@studio.example', 'admin');
  personId = await seedPerson(testDb.db, 'fin@studio.example', 'finance');
  await ensureGame(testDb.db, { slug: 'demo', environment: 'production', name: 'Demo', timeZone: 'UTC' });
});
afterAll(async () => {
  await other.close();
  await testDb.close();
});
beforeEach(async () => {
  await setRoles(['finance']);
  await testDb.db.updateTable('person').set({ disabled_at: null }).execute();
  await testDb.db.deleteFrom('person_session').execute();
  token = await seedSession(testDb.db, personId);
});

const find = async (db = testDb.db): Promise<StoredSession | null> => await findStoredSession(db, token);
const setRoles = async (roles: string[]): Promise<unknown> =>
  await testDb.db.updateTable('person').set({ roles }).where('id', '=', personId).execute();

test('one statement finds the person and every stored game', async () => {
  let statements = 0;
  const counted = openDb(testDb.url, { poolSize: 1, record: { started: () => void (statements += 1), ended: () => undefined } });
  expect(await find(counted.db)).toMatchObject({
    email: 'fin@studio.example',
    roles: ['finance'],
    games: [{ slug: 'demo', environment: 'production', timeZone: 'UTC', invoGameId: null }],
  });
  await counted.close();
  expect(statements).toBe(1);
});

test.each([
  ['sign-out', async () => await sql`delete from person_session where token_digest = ${token}`.execute(testDb.db)],
  ['disabling', async () => await disablePerson(testDb.db, { actorId: adminId, personId })],
  ['the end of the eight hours', async () => await sql`update person_session set expires_at = clock_now()`.execute(testDb.db)],
])('after %s, the next request to another process is refused', async (_, change) => {
  expect(await find(other.db)).not.toBeNull();
  await change();
  expect(await find(other.db)).toBeNull();
});

test('a changed role and a second factor that is required, set up or reset apply to the next request', async () => {
  await setRoles(['viewer']);
  expect((await find(other.db))?.roles).toEqual(['viewer']);
  await setRoles(['finance']);
  const known = async (): Promise<boolean[]> => {
    const session = await find(other.db);
    return [session?.hasFactor ?? false, session?.mustSetUpFactor ?? false];
  };
  expect(await known()).toEqual([false, false]);
  await requireFactor(testDb.db, { actorId: adminId, roles: ['finance'] });
  expect(await known()).toEqual([false, true]);
  await seedFactor(testDb.db, personId);
  expect(await known()).toEqual([true, false]);
  await testDb.db.deleteFrom('second_factor').execute();
  expect(await known()).toEqual([false, true]);
  await requireFactor(testDb.db, { actorId: adminId, roles: [] });
  expect(await known()).toEqual([false, false]);
});

async function setSeen(minutesAgo: number): Promise<void> {
  await sql`update person_session set seen_at = clock_now() - make_interval(mins => ${minutesAgo})`.execute(testDb.db);
}

test.each([
  ['finance', 29, true],
  ['finance', 30, false],
  ['admin', 30, false],
  ['support', 200, true],
])('a session of %s that was not used for %i minutes still opens: %s', async (role, minutes, isOpen) => {
  await setRoles([role]);
  await setSeen(minutes);
  expect((await find()) !== null).toBe(isOpen);
});

test('using a session a hundred times within a minute records it once, and prolongs nothing', async () => {
  await setSeen(20);
  const read = async () =>
    (
      await sql<{
        seen_at: string;
        expires_at: string;
        version: string;
      }>`select seen_at, expires_at, xmin::text as version from person_session`.execute(testDb.db)
    ).rows[0];
  const before = await read();
  await find();
  const after = await read();
  expect(after?.seen_at).not.toBe(before?.seen_at);
  expect(after?.expires_at).toBe(before?.expires_at);
  for (let request = 0; request < 100; request += 1) await find();
  expect(await read()).toEqual(after);
});

test('a session knows how long ago the password was given in it', async () => {
  await sql`update person_session set proved_at = clock_now() - interval '6 minutes'`.execute(testDb.db);
  expect((await find())?.proved_ms).toBeGreaterThanOrEqual(6 * 60_000);
});

test('a token that was replaced proves nothing at once, opens while other tabs have requests under way, and is refused after 30 seconds', async () => {
  const ends = async (digest: string) =>
    (
      await sql<{ end: string; seconds: number }>`select (created_at + interval '8 hours')::text as end,
        extract(epoch from expires_at - clock_now())::float8 as seconds from person_session where token_digest = ${digest}`.execute(
        testDb.db,
      )
    ).rows[0];
  const before = await ends(token);
  await replaceToken(testDb.db, token, 'another token');
  expect(await find()).toMatchObject({ id: personId, proved_ms: null });
  expect((await ends(token))?.seconds).toBeLessThanOrEqual(30);
  expect((await findStoredSession(testDb.db, 'another token'))?.proved_ms).toBeLessThan(60_000);
  expect(await ends('another token')).toMatchObject({ end: before?.end });
  await testDb.pool.query(`update person_session set expires_at = expires_at - interval '30 seconds' where token_digest = $1`, [token]);
  expect([await find(), await findStoredSession(testDb.db, 'another token')]).toEqual([null, expect.objectContaining({ id: personId })]);
});

test('two tabs that confirm at once each get a token that lasts as long as the session did', async () => {
  await Promise.all([replaceToken(testDb.db, token, 'one'), replaceToken(other.db, token, 'two')]);
  const { rows } = await sql<{ hours: number }>`select round(extract(epoch from expires_at - clock_now()) / 3600)::int as hours
    from person_session where token_digest in ('one', 'two')`.execute(testDb.db);
  expect(rows).toEqual([{ hours: 8 }, { hours: 8 }]);
});

test('a session that ended in between gets no other token', async () => {
  await testDb.db.deleteFrom('person_session').execute();
  await replaceToken(testDb.db, token, 'another token');
  expect(await findStoredSession(testDb.db, 'another token')).toBeNull();
});
