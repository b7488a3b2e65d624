import { betterAuth } from 'better-auth';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { ensureGame } from '#db/games/writes.ts';
import { openDb } from '#db/kit/open.ts';
import { createTestDb, type TestDb } from '#db/kit/testing/test-db.ts';
import { requireFactor } from '#lib/factors/manage-factors.ts';
import { seedFactor } from '#lib/factors/testing/seed-factor.ts';
import { disablePerson } from '#lib/people/manage-people.ts';
import { seedPerson } from '#lib/people/testing/seed-people.ts';
import { authOptions } from './auth.ts';
import { digestSigned, digestToken, openSignedIn, type SignedIn, sessionCookieName } from './signed-in.ts';

const SECRET = 'a secret of at least thirty-two characters';
const TIMING = { pauses_ms: [10], heartbeat_ms: 200, answer_ms: 30_000 };
let book: TestDb;
let adminId: string;
let personId: string;

beforeAll(async () => {
  book = await createTestDb();
  adminId = await seedPerson(book.db, 'ada@studio.example', 'admin');
  personId = await seedPerson(book.db, 'fin@studio.example', 'finance');
  await ensureGame(book.db, { slug: 'demo', environment: 'production', name: 'Demo', timeZone: 'UTC' });
});
afterAll(async () => await book.close());
beforeEach(async () => {
  await book.db
    .updateTable('person')
    .set({ disabled_at: null, roles: ['finance'] })
    .where('id', '=', personId)
    .execute();
  await signIn();
});

const TOKEN = digestToken('a session of fin');
async function signIn(): Promise<void> {
  await sql`delete from person_session`.execute(book.db);
  await sql`insert into person_session (id, person_id, token, expires_at)
    values (gen_random_uuid()::text, ${personId}, ${TOKEN}, clock_timestamp() + interval '1 hour')`.execute(book.db);
}

interface Instance {
  memory: SignedIn;
  /** Statements since it was last asked. */
  statements(): number;
  isKnown(): Promise<boolean>;
}

/** One process: its own connections, and a stopped clock, so that nothing ends by itself. */
async function openInstance({ timing = TIMING, time = { now: 0 } } = {}): Promise<Instance> {
  const { db, pool, close } = openDb(book.url, { poolSize: 2 });
  let count = 0;
  pool.on('connect', (client) => {
    const query = client.query.bind(client);
    client.query = ((...args: Parameters<typeof query>) => {
      count += 1;
      return query(...args);
    }) as typeof client.query;
  });
  const memory = openSignedIn({ db, url: book.url, clock: () => time.now, timing });
  onTestFinished(async () => {
    await memory.stop();
    await close();
  });
  await expect.poll(() => memory.isListening()).toBe(true);
  const statements = (): number => {
    const before = count;
    count = 0;
    return before;
  };
  return { memory, statements, isKnown: async () => (await memory.findPerson(TOKEN, 'cache')) !== null };
}

async function listListeners(): Promise<number[]> {
  const { rows } = await book.pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'sharebook listener'`,
  );
  return rows.map(({ pid }) => pid);
}

async function cutListeners(): Promise<void> {
  await book.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'sharebook listener'`,
  );
}

test('the first page costs one statement for the person and the games, and the next ones none for five seconds', async () => {
  const time = { now: 0 };
  const { memory, statements } = await openInstance({ time });
  expect(await memory.findPerson(TOKEN, 'cache')).toMatchObject({ email: 'fin@studio.example', roles: ['finance'] });
  expect(await memory.listGames('cache')).toMatchObject([{ slug: 'demo', environment: 'production', timeZone: 'UTC', invoGameId: null }]);
  expect(statements()).toBe(1);
  time.now = 4_999;
  await memory.findPerson(TOKEN, 'cache');
  await memory.listGames('cache');
  expect(statements()).toBe(0);
  time.now = 5_000;
  await memory.findPerson(TOKEN, 'cache');
  await memory.listGames('cache');
  expect(statements()).toBe(1);
  // A file asks the database who takes it; the games come with that answer.
  time.now = 10_000;
  await memory.findPerson(TOKEN, 'database');
  await memory.listGames('cache');
  expect(statements()).toBe(1);
});

test.each([
  ['sign-out', () => sql`delete from person_session where token = ${TOKEN}`.execute(book.db)],
  ['disabling', () => disablePerson(book.db, { actorId: adminId, personId })],
  ['every session of everyone removed', () => sql`truncate person_session`.execute(book.db)],
])('after %s, another process that remembers the person forgets them', async (_, change) => {
  const [one, other] = [await openInstance(), await openInstance()];
  expect([await one.isKnown(), await other.isKnown()]).toEqual([true, true]);
  await change();
  await expect.poll(() => one.isKnown()).toBe(false);
  await expect.poll(() => other.isKnown()).toBe(false);
});

test('a changed role and a changed password reach every process, and other people stay remembered', async () => {
  const { memory, statements } = await openInstance();
  await memory.findPerson(TOKEN, 'cache');
  await book.db.updateTable('person').set({ name: 'Ada' }).where('id', '=', adminId).execute();
  await book.db
    .updateTable('person')
    .set({ roles: ['viewer'] })
    .where('id', '=', personId)
    .execute();
  await expect.poll(async () => (await memory.findPerson(TOKEN, 'cache'))?.roles).toEqual(['viewer']);
  statements();
  await memory.findPerson(TOKEN, 'cache');
  expect(statements()).toBe(0);
  await book.db.updateTable('credential').set({ password: 'changed' }).where('person_id', '=', personId).execute();
  await expect.poll(async () => (await memory.findPerson(TOKEN, 'cache'), statements())).toBe(1);
  await book.db.updateTable('person').set({ name: 'Ada L.' }).where('id', '=', adminId).execute();
  await ensureGame(book.db, { slug: 'second', environment: 'production', name: 'Second', timeZone: 'UTC' });
  await expect.poll(async () => (await memory.listGames('cache')).length).toBe(2);
  statements();
  await memory.findPerson(TOKEN, 'cache');
  expect(statements()).toBe(0);
});

test('a second factor that is required, set up or reset changes what every process knows of the person', async () => {
  const { memory } = await openInstance();
  const known = async (): Promise<boolean[]> => {
    const person = await memory.findPerson(TOKEN, 'cache');
    return [person?.hasFactor ?? false, person?.mustSetUpFactor ?? false];
  };
  expect(await known()).toEqual([false, false]);
  await requireFactor(book.db, { actorId: adminId, roles: ['finance'] });
  await expect.poll(known).toEqual([false, true]);
  await seedFactor(book.db, personId);
  await expect.poll(known).toEqual([true, false]);
  await book.db.deleteFrom('second_factor').execute();
  await expect.poll(known).toEqual([false, true]);
  await requireFactor(book.db, { actorId: adminId, roles: [] });
  await expect.poll(known).toEqual([false, false]);
});

test('what may change something asks the database, so a disabled person is refused although the process still remembers them', async () => {
  const { memory } = await openInstance({ timing: { ...TIMING, heartbeat_ms: 60_000 } });
  await memory.findPerson(TOKEN, 'cache');
  // Without the trigger no process hears of it: only a question to the database can know.
  await book.pool.query('alter table person disable trigger person_announced');
  await book.db.updateTable('person').set({ disabled_at: '2026-11-21T12:00:00Z' }).where('id', '=', personId).execute();
  await book.pool.query('alter table person enable trigger person_announced');
  expect(await memory.findPerson(TOKEN, 'cache')).not.toBeNull();
  expect(await memory.findPerson(TOKEN, 'database')).toBeNull();
});

test('a process whose listening connection was cut remembers nothing', async () => {
  const { memory, statements, isKnown } = await openInstance({ timing: { ...TIMING, pauses_ms: [600_000] } });
  await isKnown();
  await cutListeners();
  await expect.poll(() => memory.isListening()).toBe(false);
  await sql`delete from person_session where token = ${TOKEN}`.execute(book.db);
  expect(await isKnown()).toBe(false);
  await signIn();
  statements();
  expect([await isKnown(), await isKnown()]).toEqual([true, true]);
  expect(statements()).toBe(2);
});

test('a listening connection that was cut is opened again, and the process remembers from then on', async () => {
  const { statements, isKnown } = await openInstance();
  const [before] = await listListeners();
  await cutListeners();
  await expect.poll(async () => (await listListeners()).filter((pid) => pid !== before)).toHaveLength(1);
  await expect.poll(async () => (await isKnown(), statements(), await isKnown(), statements())).toBe(0);
});

test('a session that ends within five seconds is remembered no longer than it lasts', async () => {
  await sql`update person_session set expires_at = clock_timestamp() + interval '4 seconds'`.execute(book.db);
  const time = { now: 0 };
  const { memory, statements } = await openInstance({ time });
  expect((await memory.findPerson(TOKEN, 'cache'))?.left_ms).toBeLessThanOrEqual(4_000);
  statements();
  time.now = 4_000;
  await memory.findPerson(TOKEN, 'cache');
  expect(statements()).toBe(1);
});

async function setSeen(minutesAgo: number): Promise<void> {
  await sql`update person_session set seen_at = clock_timestamp() - make_interval(mins => ${minutesAgo})`.execute(book.db);
}

async function seenMinutesAgo(): Promise<number> {
  const { rows } = await sql<{ minutes: number }>`select round(extract(epoch from clock_timestamp() - seen_at) / 60)::int as minutes
    from person_session`.execute(book.db);
  return rows[0]?.minutes ?? -1;
}

test.each([
  ['finance', 29, true],
  ['finance', 30, false],
  ['admin', 30, false],
  ['support', 200, true],
])('a session of %s that was not used for %i minutes still opens: %s', async (role, minutes, isOpen) => {
  const { isKnown } = await openInstance();
  await book.db
    .updateTable('person')
    .set({ roles: [role] })
    .where('id', '=', personId)
    .execute();
  await setSeen(minutes);
  expect(await isKnown()).toBe(isOpen);
});

test('using a session keeps it, which is recorded once a minute, with the same statement and without telling any process', async () => {
  const { memory, statements } = await openInstance();
  const other = await openInstance();
  await other.isKnown();
  await setSeen(20);
  await memory.findPerson(TOKEN, 'database');
  expect([await seenMinutesAgo(), statements()]).toEqual([0, 1]);
  const stored = await sql`select seen_at from person_session`.execute(book.db);
  await memory.findPerson(TOKEN, 'database');
  expect(await sql`select seen_at from person_session`.execute(book.db)).toEqual(stored);
  // An announcement that is sure to come after whatever was announced before it.
  await book.db.updateTable('person').set({ name: 'Ada M.' }).where('id', '=', adminId).execute();
  other.statements();
  await other.isKnown();
  expect(other.statements()).toBe(0);
});

test('a session knows how long ago the password was given in it, also for what may change something', async () => {
  const { memory } = await openInstance();
  await sql`update person_session set proved_at = clock_timestamp() - interval '6 minutes'`.execute(book.db);
  expect((await memory.findPerson(TOKEN, 'database'))?.proved_ms).toBeGreaterThanOrEqual(6 * 60_000);
});

test('a session cookie of the sign-in library is read as it is, and a forged one never reaches the database', async () => {
  const origin = 'http://127.0.0.1:3000';
  const auth = betterAuth(authOptions({ db: book.db, origin, secret: SECRET }));
  const context = await auth.$context;
  expect(sessionCookieName(origin)).toBe(context.authCookies.sessionToken.name);
  expect(sessionCookieName('https://book.example')).toBe('__Secure-sharebook.session_token');
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(SECRET), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const sign = async (token: string): Promise<string> =>
    `${token}.${Buffer.from(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(token))).toString('base64')}`;
  const cookie = await sign('aToken');
  expect(digestSigned(cookie, SECRET)).toBe(digestToken('aToken'));
  for (const forged of [
    'aToken',
    'aToken.',
    `other${cookie}`,
    `${await sign('other')}`.replace('other', 'aToken'),
    '.',
    '',
    await sign(''),
  ])
    expect(digestSigned(forged, SECRET), forged).toBeNull();
});
