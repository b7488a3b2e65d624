import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { readAudit } from '#e2e/support/people/seed-people.ts';
import { AUTH_SECRET, clearFactors, codeAt, seedActor, seedFactor, wrongCodeAt } from '#e2e/support/two-factor/seed-factor.ts';
import type { Actor } from '#lib/core/roles.ts';
import { changeRoles } from '#lib/people/manage-people.ts';
import { findSecondStep, finishSecondStep, startSecondStep } from './check-code.ts';

const NOW = '2026-11-23T01:00:10Z';
const ATTEMPT = { email: '', source: 'home', browser: null };
let testDb: TestDb;
let ada: Actor;
let fiona: Actor;

beforeAll(async () => {
  testDb = await createTestDb();
  ada = await seedActor(testDb.db, 'ada@studio.example', ['admin']);
  fiona = await seedActor(testDb.db, 'fiona@studio.example', ['finance']);
});
afterAll(async () => await testDb.close());
beforeEach(async () => await clearFactors(testDb.db));

async function auditOf(actor: Actor): Promise<string[]> {
  return (await readAudit(testDb.db)).filter((row) => row.actor === actor.email).map(({ act }) => act);
}

const finish = async (
  token: string,
  code: string,
  source = 'home',
  browser: string | null = null,
): Promise<{ ok: boolean; reason?: string }> =>
  await finishSecondStep(testDb.db, { token, attempt: { ...ATTEMPT, source, browser }, code, now: NOW, authSecret: AUTH_SECRET });

test('the second step of a sign-in opens one session by one code, and its token is stored as a digest only', async () => {
  const secret = await seedFactor(testDb.db, fiona.id);
  const token = await startSecondStep(testDb.db, fiona.id);
  const { rows } = await testDb.pool.query<{ text: string }>('select json_agg(s)::text as text from started_sign_in s');
  expect(rows[0]?.text.includes(token)).toBe(false);
  expect(rows[0]?.text.includes(Buffer.from(token).toString('hex'))).toBe(false);
  expect(await findSecondStep(testDb.db, 'a made-up token')).toBeNull();
  const [now, later] = [codeAt(secret, NOW), codeAt(secret, NOW, 1)];
  const ends = await Promise.all([finish(token, now), finish(token, later)]);
  expect(ends.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await findSecondStep(testDb.db, token)).toBeNull();
});

test('the second step of a sign-in is over after five minutes, and when the person is signed out everywhere', async () => {
  const secret = await seedFactor(testDb.db, fiona.id);
  const old = await startSecondStep(testDb.db, fiona.id);
  await sql`update started_sign_in set started_at = started_at - interval '5 minutes', expires_at = expires_at - interval '5 minutes'`.execute(
    testDb.db,
  );
  expect(await finish(old, codeAt(secret, NOW))).toEqual({ ok: false, reason: 'expired_sign_in' });
  const token = await startSecondStep(testDb.db, fiona.id);
  expect(await testDb.db.selectFrom('started_sign_in').select('person_id').execute()).toHaveLength(1);
  await changeRoles(testDb.db, { actorId: ada.id, personId: fiona.id, roles: ['finance', 'support'] }, { accountWait_hours: 24 });
  expect(await finish(token, codeAt(secret, NOW))).toEqual({ ok: false, reason: 'expired_sign_in' });
  await changeRoles(testDb.db, { actorId: ada.id, personId: fiona.id, roles: ['finance'] }, { accountWait_hours: 24 });
});

test('wrong codes of the second step count as wrong passwords of that email do and are recorded; what can’t be a code is neither', async () => {
  const secret = await seedFactor(testDb.db, fiona.id);
  const token = await startSecondStep(testDb.db, fiona.id);
  const before = (await auditOf(fiona)).length;
  for (let index = 0; index < 20; index += 1) expect(await finish(token, '12 34')).toEqual({ ok: false, reason: 'malformed_code' });
  expect((await auditOf(fiona)).length).toBe(before);
  const wrong = wrongCodeAt(secret, NOW);
  for (let index = 0; index < 10; index += 1) expect(await finish(token, wrong)).toEqual({ ok: false, reason: 'wrong_code' });
  expect(await finish(token, codeAt(secret, NOW))).toEqual({ ok: false, reason: 'too_many_attempts' });
  expect((await auditOf(fiona)).slice(before)).toEqual(Array.from({ length: 10 }, () => 'gave a wrong code'));
  expect(await finish(token, codeAt(secret, NOW), 'elsewhere')).toEqual({ ok: false, reason: 'too_many_attempts' });
  expect(await finish(token, codeAt(secret, NOW), 'elsewhere', 'her browser')).toMatchObject({ ok: true, email: fiona.email });
});
