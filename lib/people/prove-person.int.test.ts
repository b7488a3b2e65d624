import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { readAudit, seedPerson } from '#e2e/support/people/seed-people.ts';
import { AUTH_SECRET, codeAt, seedFactor, wrongCodeAt } from '#e2e/support/two-factor/seed-factor.ts';
import { hashPassword } from './password.ts';
import { findStoredSession } from './reads.ts';
import { digestToken } from './session-token.ts';
import { provePerson } from './sign-in.ts';

const PASSWORD = 'a sentence of my own';
const TOKEN = 'digest of her token';
const NOW = '2026-11-23T01:00:10Z';
const EMAIL = 'fiona@studio.example';
let testDb: TestDb;
let personId: string;
beforeAll(async () => {
  testDb = await createTestDb();
  personId = await seedPerson(testDb.db, EMAIL, 'finance');
  await testDb.db
    .updateTable('person_password')
    .set({ hash: await hashPassword(PASSWORD) })
    .execute();
});
afterAll(async () => await testDb.close());
let current: string;
beforeEach(async () => {
  current = TOKEN;
  await testDb.db.deleteFrom('person_session').execute();
  await sql`insert into person_session (person_id, token_digest, expires_at, proved_at)
    values (${personId}, ${TOKEN}, clock_now() + interval '1 hour', clock_now() - interval '20 minutes')`.execute(testDb.db);
});

async function prove(password: string, { tokenDigest = current, code = '' } = {}): Promise<unknown> {
  const actor = { id: personId, email: EMAIL, roles: ['finance'] as const };
  const proved = await provePerson(testDb.db, { actor, tokenDigest, password, code, now: NOW, authSecret: AUTH_SECRET });
  if (!proved.ok) return proved;
  if (tokenDigest === current) current = digestToken(proved.token);
  return { ok: true };
}

async function provedMinutesAgo(): Promise<number> {
  const found = await findStoredSession(testDb.db, current);
  return Math.round((found?.proved_ms ?? -60_000) / 60_000);
}

test('the right password makes the session fresh, a wrong one doesn’t and is recorded', async () => {
  expect(await prove('not my sentence')).toEqual({ ok: false, reason: 'wrong_password' });
  expect(await provedMinutesAgo()).toBe(20);
  expect((await readAudit(testDb.db)).at(-1)).toMatchObject({ actor: EMAIL, act: 'gave a wrong password' });
  expect(await prove(PASSWORD)).toEqual({ ok: true });
  expect(await provedMinutesAgo()).toBe(0);
});

test('ten wrong passwords lock this session out of approving, and no other', async () => {
  for (let index = 0; index < 10; index += 1) expect(await prove('not my sentence')).toEqual({ ok: false, reason: 'wrong_password' });
  expect(await prove(PASSWORD)).toEqual({ ok: false, reason: 'too_many_attempts' });
  expect(await prove(PASSWORD, { tokenDigest: 'another session of hers' })).toEqual({ ok: true });
  expect(await provedMinutesAgo()).toBe(20);
});

test('with a second factor, password and code prove a person together, and a code is used up only with the right password', async () => {
  const secret = await seedFactor(testDb.db, personId);
  const code = codeAt(secret, NOW);
  expect(await prove(PASSWORD)).toEqual({ ok: false, reason: 'malformed_code' });
  expect(await prove(PASSWORD, { code: wrongCodeAt(secret, NOW) })).toEqual({ ok: false, reason: 'wrong_code' });
  expect(await prove('not my sentence', { code })).toEqual({ ok: false, reason: 'wrong_password' });
  expect(await provedMinutesAgo()).toBe(20);
  expect((await readAudit(testDb.db)).slice(-2)).toMatchObject([
    { actor: EMAIL, act: 'gave a wrong code', detail: { reason: 'wrong_code' } },
    { actor: EMAIL, act: 'gave a wrong password' },
  ]);
  expect(await prove(PASSWORD, { code })).toEqual({ ok: true });
  expect(await provedMinutesAgo()).toBe(0);
  expect(await prove(PASSWORD, { code })).toEqual({ ok: false, reason: 'used_code' });
});

test('ten wrong codes lock this session out of approving', { tags: 'proof' }, async () => {
  await testDb.db.deleteFrom('second_factor').execute();
  const secret = await seedFactor(testDb.db, personId);
  const code = codeAt(secret, NOW);
  const wrong = wrongCodeAt(secret, NOW);
  await testDb.db.deleteFrom('sign_in_attempt').execute();
  for (let index = 0; index < 10; index += 1) expect(await prove(PASSWORD, { code: wrong })).toMatchObject({ ok: false });
  expect(await prove(PASSWORD, { code })).toEqual({ ok: false, reason: 'too_many_attempts' });
});
