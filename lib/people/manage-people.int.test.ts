// @module-tag no-retry
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { readAudit, seedPerson, seedSession } from '#e2e/support/people/seed-people.ts';
import { findSetUpLink } from './find-set-up-link.ts';
import { addPerson, changeRoles, disablePerson, enablePerson, ensureDemoPeople, resetPasswordLink } from './manage-people.ts';
import { verifyPassword } from './password.ts';
import { DEMO_PASSWORD, DEMO_PEOPLE } from './rules/person.ts';
import { listStoredPeople } from './writes/people.ts';

const NO_WAIT = { accountWait_hours: 0 };
const SHOWN = { isMailed: false };
let testDb: TestDb;
let [adminId, personId] = ['', ''];
let number = 0;
beforeAll(async () => {
  testDb = await createTestDb();
  adminId = await seedPerson(testDb.db, 'admin@studio.example', 'admin');
});
afterAll(async () => await testDb.close());
beforeEach(async () => {
  number += 1;
  personId = await seedPerson(testDb.db, `person-${number}@studio.example`, 'finance');
});

async function findRole(id: string): Promise<string | undefined> {
  return (await listStoredPeople(testDb.db)).find((person) => person.id === id)?.roles.join();
}

async function countSessions(id: string): Promise<number> {
  return (await testDb.db.selectFrom('person_session').select('token_digest').where('person_id', '=', id).execute()).length;
}

describe('permission to change people', () => {
  test.each(['viewer', 'auditor', 'support', 'finance'] as const)('a %s changes nothing', async (role) => {
    const actorId = await seedPerson(testDb.db, `${role}@studio.example`, role);
    const [people, audit] = [await listStoredPeople(testDb.db), await readAudit(testDb.db)];
    const refused = { ok: false, reason: 'not_allowed' };
    expect(await addPerson(testDb.db, { actorId, email: 'x@studio.example', name: 'X', roles: ['admin'] })).toEqual(refused);
    expect(await changeRoles(testDb.db, { actorId, personId: actorId, roles: ['admin'] }, NO_WAIT)).toEqual(refused);
    expect(await disablePerson(testDb.db, { actorId, personId: adminId })).toEqual(refused);
    expect(await enablePerson(testDb.db, { actorId, personId }, NO_WAIT)).toEqual(refused);
    expect(await resetPasswordLink(testDb.db, { actorId, personId: adminId }, SHOWN)).toEqual(refused);
    expect(await listStoredPeople(testDb.db)).toEqual(people);
    const refusals = ['invite x@studio.example', 'change roles', 'disable a person', 'enable a person', 'make a password link'];
    expect((await readAudit(testDb.db)).slice(audit.length)).toEqual(
      refusals.map((what) => ({
        actor: `${role}@studio.example`,
        act: `was refused to ${what}`,
        subject: 'people',
        detail: { reason: 'not_allowed' },
      })),
    );
  });

  test('an admin who was disabled or demoted a moment ago changes nothing', async () => {
    const actorId = await seedPerson(testDb.db, 'former@studio.example', 'admin');
    expect(await disablePerson(testDb.db, { actorId: adminId, personId: actorId })).toEqual({ ok: true });
    expect(await changeRoles(testDb.db, { actorId, personId, roles: ['admin'] }, NO_WAIT)).toEqual({ ok: false, reason: 'not_allowed' });
    await enablePerson(testDb.db, { actorId: adminId, personId: actorId }, NO_WAIT);
    await changeRoles(testDb.db, { actorId: adminId, personId: actorId, roles: ['viewer'] }, NO_WAIT);
    expect(await changeRoles(testDb.db, { actorId, personId, roles: ['admin'] }, NO_WAIT)).toEqual({ ok: false, reason: 'not_allowed' });
    expect(await findRole(personId)).toBe('finance');
  });
});

test("an email is added once in any case, and the person can't sign in before setting a password", async () => {
  const added = await addPerson(testDb.db, { actorId: adminId, email: 'Nora@Studio.example', name: 'Nora', roles: ['auditor'] });
  expect(added).toMatchObject({ ok: true });
  expect(await findSetUpLink(testDb.db, added.ok ? added.token : '')).toMatchObject({
    ok: true,
    purpose: 'invitation',
    person: { email: 'nora@studio.example' },
  });
  expect(await addPerson(testDb.db, { actorId: adminId, email: 'NORA@studio.example', name: 'N', roles: ['viewer'] })).toEqual({
    ok: false,
    reason: 'email_taken',
  });
  expect((await listStoredPeople(testDb.db)).find(({ email }) => email === 'nora@studio.example')).toMatchObject({
    roles: ['auditor'],
    hasPassword: false,
  });
  expect((await readAudit(testDb.db)).at(-1)).toEqual({
    actor: 'admin@studio.example',
    act: 'added a person',
    subject: 'nora@studio.example',
    detail: { roles: ['auditor'] },
  });
});

test('a role change ends every session of that person and no other', async () => {
  for (const id of [personId, personId, adminId]) await seedSession(testDb.db, id);
  expect(await changeRoles(testDb.db, { actorId: adminId, personId, roles: ['viewer'] }, NO_WAIT)).toEqual({
    ok: true,
    sessionsEnded: 2,
    isWaiting: false,
  });
  expect([await findRole(personId), await countSessions(personId), await countSessions(adminId)]).toEqual(['viewer', 0, 1]);
  expect((await readAudit(testDb.db)).at(-1)).toMatchObject({ act: 'changed roles', detail: { before: ['finance'], after: ['viewer'] } });
  expect(await changeRoles(testDb.db, { actorId: adminId, personId, roles: ['viewer'] }, NO_WAIT)).toEqual({
    ok: false,
    reason: 'same_roles',
  });
  expect(await changeRoles(testDb.db, { actorId: adminId, personId: 'nobody', roles: ['viewer'] }, NO_WAIT)).toEqual({
    ok: false,
    reason: 'unknown_person',
  });
});

test('a disabled person is signed out, loses open links, and gets the same role back when enabled', async () => {
  await seedSession(testDb.db, personId);
  const link = await resetPasswordLink(testDb.db, { actorId: adminId, personId }, SHOWN);
  expect(await disablePerson(testDb.db, { actorId: adminId, personId })).toEqual({ ok: true });
  expect(await countSessions(personId)).toBe(0);
  expect(await findSetUpLink(testDb.db, link.ok ? link.token : '')).toEqual({ ok: false, reason: 'withdrawn_link' });
  expect(await resetPasswordLink(testDb.db, { actorId: adminId, personId }, SHOWN)).toEqual({ ok: false, reason: 'disabled' });
  expect(await disablePerson(testDb.db, { actorId: adminId, personId })).toEqual({ ok: false, reason: 'already_so' });
  expect(await enablePerson(testDb.db, { actorId: adminId, personId }, NO_WAIT)).toEqual({ ok: true });
  expect(await findRole(personId)).toBe('finance');
});

describe('the last admin', () => {
  test('cannot be demoted or disabled, also when the only other admin has no password yet or is disabled', async () => {
    const refused = { ok: false, reason: 'last_admin' };
    await addPerson(testDb.db, { actorId: adminId, email: 'invited-admin@studio.example', name: 'Invited', roles: ['admin'] });
    const gone = await seedPerson(testDb.db, 'gone-admin@studio.example', 'admin');
    await disablePerson(testDb.db, { actorId: adminId, personId: gone });
    expect(await changeRoles(testDb.db, { actorId: adminId, personId: adminId, roles: ['finance'] }, NO_WAIT)).toEqual(refused);
    expect(await disablePerson(testDb.db, { actorId: adminId, personId: adminId })).toEqual(refused);
    expect(await findRole(adminId)).toBe('admin');
  });

  test('of two admins who demote each other at once, one stays', async () => {
    const otherId = await seedPerson(testDb.db, 'other-admin@studio.example', 'admin');
    const ends = await Promise.all([
      changeRoles(testDb.db, { actorId: adminId, personId: otherId, roles: ['viewer'] }, NO_WAIT),
      changeRoles(testDb.db, { actorId: otherId, personId: adminId, roles: ['viewer'] }, NO_WAIT),
    ]);
    expect(ends.filter((end) => end.ok)).toHaveLength(1);
    const able = (await listStoredPeople(testDb.db)).filter(
      (person) => person.roles.includes('admin') && person.hasPassword && !person.isDisabled,
    );
    expect(able).toHaveLength(1);
    adminId = able[0]?.id ?? '';
  });
});

describe('demo people', () => {
  test('are refused where the data is not simulated', async () => {
    await expect(ensureDemoPeople(testDb.db, { isSimulated: false })).rejects.toThrow('simulated database only');
    expect((await listStoredPeople(testDb.db)).filter(({ email }) => email.endsWith('starfall.example'))).toEqual([]);
  });

  test('have every role and two who may approve, are added once and share one password', async () => {
    expect(await Promise.all([1, 2].map(() => ensureDemoPeople(testDb.db, { isSimulated: true })))).toContain(DEMO_PEOPLE.length);
    expect(await ensureDemoPeople(testDb.db, { isSimulated: true })).toBe(0);
    const rows = await testDb.db
      .selectFrom('person')
      .innerJoin('person_password', 'person_id', 'person.id')
      .select(['roles', 'hash'])
      .where('email', 'like', '%@starfall.example')
      .execute();
    expect(rows.map(({ roles }) => roles.join(' ')).toSorted()).toEqual(['auditor', 'finance', 'finance admin', 'support', 'viewer']);
    expect(await verifyPassword(rows[0]?.hash ?? '', DEMO_PASSWORD)).toBe(true);
  });
});
