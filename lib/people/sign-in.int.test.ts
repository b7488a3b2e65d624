import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { seedFactor } from '#e2e/support/two-factor/seed-factor.ts';
import { ensureDemoPeople } from './manage-people.ts';
import { BusyError, hashPassword, verifyPassword } from './password.ts';
import { findStoredSession } from './reads.ts';
import { DEMO_PASSWORD } from './rules/person.ts';
import { digestToken, makeToken } from './session-token.ts';
import { type SignInEnd, signInByCode, signInByPassword } from './sign-in.ts';
import { deleteSession } from './writes/people.ts';

const FIONA = 'finance@starfall.example';
let testDb: TestDb;
beforeAll(async () => {
  testDb = await createTestDb();
  await ensureDemoPeople(testDb.db, { isSimulated: true });
});
afterAll(async () => await testDb.close());
beforeEach(async () => {
  for (const table of ['person_session', 'second_factor'] as const) await testDb.db.deleteFrom(table).execute();
  await testDb.db.updateTable('person').set({ disabled_at: null }).execute();
});

const signIn = async (email = FIONA, password = DEMO_PASSWORD): Promise<SignInEnd> =>
  await signInByPassword(testDb.db, { email, password });

async function openToken(): Promise<string> {
  const end = await signIn();
  if (end.kind !== 'opened') throw new Error(`the sign-in ended as ${end.kind}`);
  return end.token;
}

const opens = async (token: string): Promise<boolean> => (await findStoredSession(testDb.db, digestToken(token))) !== null;
const countSessions = async (): Promise<number> => (await testDb.db.selectFrom('person_session').select('person_id').execute()).length;
const disable = async (email: string): Promise<unknown> =>
  await testDb.db.updateTable('person').set({ disabled_at: '2026-11-01T00:00:00Z' }).where('email', '=', email).execute();

test('a session opens for eight hours, whatever the case of the email, and ends when signed out', async () => {
  const end = await signIn('Finance@Starfall.example');
  expect(end.kind).toBe('opened');
  const token = end.kind === 'opened' ? end.token : '';
  const hours = sql<number>`round(extract(epoch from expires_at - created_at) / 3600)::int`.as('hours');
  expect(await testDb.db.selectFrom('person_session').select(hours).execute()).toEqual([{ hours: 8 }]);
  expect(await findStoredSession(testDb.db, digestToken(token))).toMatchObject({ email: FIONA, roles: ['finance'] });
  await deleteSession(testDb.db, digestToken(token));
  expect(await opens(token)).toBe(false);
});

test('signing in, by the password or with a code, proves nothing for an approval', async () => {
  const proved = async (end: SignInEnd) =>
    (await findStoredSession(testDb.db, digestToken(end.kind === 'opened' ? end.token : '')))?.proved_ms;
  expect(await proved(await signIn())).toBeNull();
  const { id: personId } = await testDb.db.selectFrom('person').select('id').where('email', '=', FIONA).executeTakeFirstOrThrow();
  await seedFactor(testDb.db, personId);
  expect(await proved(await signInByCode(testDb.db, { personId, email: FIONA }, 'app'))).toBeNull();
});

test('the database has the digest of a session’s token only, and what it has opens nothing', async () => {
  const token = await openToken();
  const stored = await testDb.db.selectFrom('person_session').selectAll().execute();
  expect(JSON.stringify(stored)).not.toContain(token);
  expect(await opens(stored[0]?.token_digest ?? '')).toBe(false);
});

test('ten thousand made-up tokens find nobody', { tags: 'proof' }, async () => {
  await openToken();
  const digests = Array.from({ length: 10_000 }, () => digestToken(makeToken()));
  const { rows } = await sql`select from person_session where token_digest = any(${digests})`.execute(testDb.db);
  expect(rows).toEqual([]);
});

test('a wrong password, an unknown email and a disabled person get the same answer and no session', async () => {
  await disable('support@starfall.example');
  expect(await signIn(FIONA, 'simulated data onlz')).toEqual({ kind: 'refused' });
  expect(await signIn('nobody@starfall.example')).toEqual({ kind: 'refused' });
  expect(await signIn('support@starfall.example')).toEqual({ kind: 'refused' });
  expect(await countSessions()).toBe(0);
});

test('an unknown email and a wrong password cost the hash of one password each', async () => {
  await testDb.db
    .insertInto('person')
    .values({ id: 'n', email: 'new@starfall.example', name: 'New', roles: ['viewer'] })
    .execute();
  for (const email of [FIONA, 'nobody@starfall.example', 'new@starfall.example']) {
    let hashed = 0;
    await signInByPassword(
      testDb.db,
      { email, password: 'wrong' },
      {
        hash: async (password) => ((hashed += 1), await hashPassword(password)),
        verify: async (hash, password) => ((hashed += 1), await verifyPassword(hash, password)),
      },
    );
    expect(hashed, email).toBe(1);
  }
});

describe('a person with a second factor', () => {
  let personId: string;
  beforeEach(async () => {
    personId = (await testDb.db.selectFrom('person').select('id').where('email', '=', FIONA).executeTakeFirstOrThrow()).id;
    await seedFactor(testDb.db, personId);
  });

  test('gets no session by the password alone, and by the second step one that opens', async () => {
    expect(await signIn()).toEqual({ kind: 'code_needed', personId });
    expect(await countSessions()).toBe(0);
    const end = await signInByCode(testDb.db, { personId, email: FIONA }, 'app');
    expect(end.kind === 'opened' && (await opens(end.token))).toBe(true);
  });

  test('gets the answer of everyone for a wrong password, and when disabled for the right one too', async () => {
    expect(await signIn(FIONA, 'not the password')).toEqual({ kind: 'refused' });
    await disable(FIONA);
    expect(await signIn()).toEqual({ kind: 'refused' });
    expect(await countSessions()).toBe(0);
  });

  test('gets no session by the second step when they were disabled between password and code', async () => {
    await disable(FIONA);
    expect(await signInByCode(testDb.db, { personId, email: FIONA }, 'app')).toEqual({ kind: 'refused' });
    expect(await countSessions()).toBe(0);
  });

  test('gets no session by the password when the set-up ends while the password is checked', async () => {
    await testDb.db.deleteFrom('second_factor').execute();
    const verify = async (hash: string, password: string): Promise<boolean> => {
      await seedFactor(testDb.db, personId);
      return await verifyPassword(hash, password);
    };
    const end = await signInByPassword(testDb.db, { email: FIONA, password: DEMO_PASSWORD }, { hash: hashPassword, verify });
    expect(end).toEqual({ kind: 'refused' });
    expect(await countSessions()).toBe(0);
  });

  test('signs in by the password alone while the set-up isn’t finished', async () => {
    await testDb.db.updateTable('second_factor').set({ confirmed_at: null, last_step: null }).execute();
    expect((await signIn()).kind).toBe('opened');
  });
});

describe('the audit of signing in', () => {
  const audited = async (): Promise<string[]> =>
    (await testDb.db.selectFrom('audit').select(['actor', 'act', 'subject']).orderBy('audit_id').execute()).map(
      ({ actor, act, subject }) => `${actor} ${act}: ${subject}`,
    );
  let before: number;
  beforeEach(async () => {
    before = (await audited()).length;
  });

  test('a wrong password is recorded with the email of the person, whatever its case', async () => {
    await signIn('Finance@Starfall.example', 'not the password');
    expect((await audited()).slice(before)).toEqual([`${FIONA} failed to sign in: Sharebook`]);
  });

  test('an email that nobody has is recorded without what was typed', async () => {
    await signIn('my-password@typed.wrong', 'x');
    expect((await audited()).slice(before)).toEqual(['unknown person failed to sign in: Sharebook']);
    const { rows } = await sql`select 1 from audit a where to_jsonb(a)::text like '%typed.wrong%'`.execute(testDb.db);
    expect(rows).toEqual([]);
  });

  test('a disabled person with the right password is recorded as refused', async () => {
    await disable(FIONA);
    await signIn();
    expect((await audited()).slice(before)).toEqual([`${FIONA} failed to sign in: Sharebook`]);
  });

  test('a sign-in is recorded once, and one that was not checked not at all', async () => {
    await signIn();
    const busy = () => Promise.reject(new BusyError());
    expect(await signInByPassword(testDb.db, { email: FIONA, password: 'x' }, { hash: busy, verify: busy })).toEqual({ kind: 'busy' });
    expect((await audited()).slice(before)).toEqual([`${FIONA} signed in: Sharebook`]);
  });
});
