import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { readAudit, seedSession } from '#e2e/support/people/seed-people.ts';
import { AUTH_SECRET, clearFactors, seedActor, seedSessionOf, setUpFactor } from '#e2e/support/two-factor/seed-factor.ts';
import type { Actor } from '#lib/core/roles.ts';
import { findAccountStatus, findStoredSession } from '#lib/people/reads.ts';
import { findSecondStep, spendCode, startSecondStep } from './check-code.ts';
import { requireFactor, resetFactor, startSetUp, turnOffFactor } from './manage-factors.ts';
import { countFactors, findFactorStatus } from './reads.ts';

const NOW = '2026-11-23T01:00:10Z';
const NO_WAIT = { accountWait_hours: 0 };
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

async function spend(code: string, { now = NOW, authSecret = AUTH_SECRET, person = fiona } = {}): Promise<unknown> {
  return await spendCode(testDb.db, { person, code, now, authSecret });
}

async function auditOf(actor: Actor): Promise<string[]> {
  return (await readAudit(testDb.db)).filter((row) => row.actor === actor.email).map(({ act }) => act);
}

async function setUp(person: Actor): ReturnType<typeof setUpFactor> {
  return await setUpFactor(testDb.db, person, NOW);
}

describe('turning it off', () => {
  test('removes the secret and the backup codes, and is recorded', async () => {
    await setUp(fiona);
    expect(await turnOffFactor(testDb.db, fiona)).toEqual({ ok: true });
    expect(await testDb.db.selectFrom('backup_code').select('person_id').execute()).toEqual([]);
    expect(await turnOffFactor(testDb.db, fiona)).toEqual({ ok: false, reason: 'not_on' });
    expect((await auditOf(fiona)).at(-1)).toBe('turned off two-factor authentication');
  });

  test('is refused while a role that the person has now needs it', async () => {
    await setUp(fiona);
    await requireFactor(testDb.db, { actorId: ada.id, roles: ['finance'] });
    expect(await turnOffFactor(testDb.db, { ...fiona, roles: ['viewer'] })).toEqual({ ok: false, reason: 'required' });
    await requireFactor(testDb.db, { actorId: ada.id, roles: ['support'] });
    expect(await turnOffFactor(testDb.db, fiona)).toEqual({ ok: true });
  });
});

describe('requiring it', () => {
  const mustSetUp = async (person: Actor): Promise<boolean | undefined> => {
    await testDb.db.deleteFrom('person_session').execute();
    await seedSessionOf(testDb.db, person, 'a session');
    return (await findStoredSession(testDb.db, 'a session'))?.mustSetUpFactor;
  };

  test('of a role concerns its people without a second factor, until they have one, and nobody else', async () => {
    expect(await mustSetUp(fiona)).toBe(false);
    expect(await requireFactor(testDb.db, { actorId: ada.id, roles: ['support', 'finance'] })).toEqual({ ok: true });
    expect(await mustSetUp(fiona)).toBe(true);
    expect(await mustSetUp(ada)).toBe(false);
    expect(await countFactors(testDb.db)).toEqual({ people: 2, withFactor: 0, missing: 1 });
    await setUp(fiona);
    expect(await mustSetUp(fiona)).toBe(false);
    expect(await countFactors(testDb.db)).toEqual({ people: 2, withFactor: 1, missing: 0 });
    expect((await readAudit(testDb.db)).findLast(({ act }) => act === 'changed which roles need two-factor authentication')).toMatchObject({
      actor: ada.email,
      detail: { before: [], after: ['support', 'finance'] },
    });
  });

  test('for a role of one’s own needs a second factor of one’s own', async () => {
    expect(await requireFactor(testDb.db, { actorId: ada.id, roles: ['admin'] })).toEqual({ ok: false, reason: 'own_role_without' });
    await startSetUp(testDb.db, ada, AUTH_SECRET);
    expect(await requireFactor(testDb.db, { actorId: ada.id, roles: ['admin'] })).toEqual({ ok: false, reason: 'own_role_without' });
    await setUp(ada);
    expect(await requireFactor(testDb.db, { actorId: ada.id, roles: ['admin'] })).toEqual({ ok: true });
    expect(await requireFactor(testDb.db, { actorId: ada.id, roles: ['admin'] })).toEqual({ ok: false, reason: 'no_changes' });
    expect(await requireFactor(testDb.db, { actorId: ada.id, roles: [] })).toEqual({ ok: true });
  });

  test('is an admin’s decision', async () => {
    expect(await requireFactor(testDb.db, { actorId: fiona.id, roles: ['viewer'] })).toEqual({ ok: false, reason: 'not_allowed' });
  });
});

describe('a reset', () => {
  const reset = async (personId: string, actorId = ada.id, wait = NO_WAIT): Promise<unknown> =>
    await resetFactor(testDb.db, { actorId, personId }, wait);

  test('removes another person’s second factor, ends their sessions and their started sign-ins, and is recorded', async () => {
    const { backupCodes } = await setUp(fiona);
    await seedSession(testDb.db, fiona.id);
    const token = await startSecondStep(testDb.db, fiona.id);
    expect(await reset(fiona.id)).toEqual({ ok: true });
    expect(await testDb.db.selectFrom('person_session').select('token_digest').execute()).toEqual([]);
    expect(await findSecondStep(testDb.db, token)).toBeNull();
    expect(await spend(backupCodes[0] ?? '')).toEqual({ ok: false, reason: 'no_factor' });
    expect((await readAudit(testDb.db)).at(-1)).toMatchObject({
      actor: ada.email,
      act: 'reset two-factor authentication',
      subject: fiona.email,
    });
    expect(await reset(fiona.id)).toEqual({ ok: false, reason: 'not_on' });
  });

  test('of one’s own, by someone who is no admin, or of nobody is refused', async () => {
    await setUp(fiona);
    await setUp(ada);
    expect(await reset(ada.id)).toEqual({ ok: false, reason: 'own_factor' });
    expect(await reset(ada.id, fiona.id)).toEqual({ ok: false, reason: 'not_allowed' });
    expect(await reset('nobody')).toEqual({ ok: false, reason: 'unknown_person' });
    expect((await findFactorStatus(testDb.db, ada.id)).since).not.toBeNull();
  });

  test('lets the account wait as after a new password link, and takes its confirmation away', async () => {
    const hoursLeft = async (person: Actor): Promise<number | null> => {
      const hours = sql<number | null>`round(extract(epoch from counts_from - clock_now()) / 3600)::int`.as('hours');
      return (await testDb.db.selectFrom('person').select(hours).where('id', '=', person.id).executeTakeFirstOrThrow()).hours;
    };
    await setUp(fiona);
    await reset(fiona.id, ada.id, { accountWait_hours: 24 });
    expect(await hoursLeft(fiona)).toBe(24);
    expect(await findAccountStatus(testDb.db, fiona.id)).toBe('unconfirmed');
  });
});
