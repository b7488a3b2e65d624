import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { readAudit, seedPerson, seedSession } from '#e2e/support/people/seed-people.ts';
import type { Role } from '../core/roles.ts';
import { addPerson, changeRoles, disablePerson, enablePerson, resetPasswordLink } from './manage-people.ts';
import { findApprover } from './reads.ts';
import { approveRoles, declineRoles } from './second-person.ts';
import { useSetUpLink } from './set-up-link.ts';
import { listStoredPeople, type StoredPerson } from './writes/people.ts';

const DAY = { accountWait_hours: 24 };
const SHOWN = { isMailed: false };
let testDb: TestDb;
let [adminId, fionaId, fayId] = ['', '', ''];
beforeAll(async () => {
  testDb = await createTestDb();
});
afterAll(async () => await testDb.close());
beforeEach(async () => {
  for (const table of ['person_confirmation', 'set_up_link', 'person_session', 'person_password', 'person'] as const)
    await testDb.db.deleteFrom(table).execute();
  adminId = await seedPerson(testDb.db, 'ada@studio.example', 'admin');
});

async function seedFinance(): Promise<void> {
  fionaId = await seedPerson(testDb.db, 'fiona@studio.example', 'finance');
  fayId = await seedPerson(testDb.db, 'fay@studio.example', ['finance', 'admin']);
}

async function find(email: string): Promise<StoredPerson | undefined> {
  return (await listStoredPeople(testDb.db)).find((person) => person.email === email);
}

async function invite(
  roles: Role[],
  email = 'nora@studio.example',
  actorId = adminId,
): Promise<{ personId: string; token: string; isWaiting: boolean }> {
  const added = await addPerson(testDb.db, { actorId, email, name: email, roles });
  if (!added.ok) throw new Error(added.reason);
  return added;
}

async function hoursUntilCounting(email: string): Promise<number | null> {
  const row = await testDb.db
    .selectFrom('person')
    .select(sql<number | null>`round(extract(epoch from counts_from - clock_now()) / 3600)::int`.as('hours'))
    .where('email', '=', email)
    .executeTakeFirst();
  return row?.hours ?? null;
}

describe('the right to approve, requested by an admin', () => {
  beforeEach(seedFinance);

  test('an invited person reads figures until someone else approves, then waits a day before approving', async () => {
    const { personId, isWaiting } = await invite(['finance']);
    expect(isWaiting).toBe(true);
    expect(await find('nora@studio.example')).toMatchObject({
      roles: ['viewer'],
      hadFinance: false,
      request: { roles: ['finance'], by: adminId },
    });
    await seedSession(testDb.db, personId);
    const decision = { personId, roles: ['finance'] as const };
    expect(await approveRoles(testDb.db, { ...decision, actorId: adminId }, DAY)).toEqual({ ok: false, reason: 'same_person' });
    expect(await approveRoles(testDb.db, { ...decision, actorId: personId }, DAY)).toEqual({ ok: false, reason: 'same_person' });
    expect(await approveRoles(testDb.db, { ...decision, actorId: fionaId, roles: ['support'] }, DAY)).toEqual({
      ok: false,
      reason: 'moved_on',
    });
    expect(await approveRoles(testDb.db, { ...decision, actorId: fionaId }, DAY)).toEqual({ ok: true });
    expect(await find('nora@studio.example')).toMatchObject({ roles: ['finance'], request: null });
    expect(await hoursUntilCounting('nora@studio.example')).toBe(24);
    expect(await findApprover(testDb.db, personId, fionaId)).toEqual({
      roles: ['finance'],
      accounts: { own: 'unconfirmed', preparer: 'counts' },
    });
    expect(await testDb.db.selectFrom('person_session').select('token_digest').execute()).toEqual([]);
    expect((await readAudit(testDb.db)).slice(-4)).toMatchObject([
      { actor: 'ada@studio.example', act: 'added a person, whose roles wait for approval', detail: { roles: ['finance'] } },
      { actor: 'ada@studio.example', act: 'was refused approval of roles', detail: { reason: 'same_person' } },
      { act: 'was refused approval of roles', detail: { reason: 'same_person' } },
      {
        actor: 'fiona@studio.example',
        act: 'approved roles',
        detail: { before: ['viewer'], after: ['finance'], asked_by: 'ada@studio.example' },
      },
    ]);
  });

  test('other roles that are requested with it are given at once', async () => {
    await invite(['support', 'finance']);
    expect(await find('nora@studio.example')).toMatchObject({ roles: ['support'], request: { roles: ['support', 'finance'] } });
  });

  test('a person with other roles retains them until it is approved, and the request can be declined or withdrawn', async () => {
    const personId = await seedPerson(testDb.db, 'sami@studio.example', 'support');
    const change = { actorId: adminId, personId, roles: ['finance'] as Role[] };
    expect(await changeRoles(testDb.db, change, DAY)).toEqual({ ok: true, sessionsEnded: 0, isWaiting: true });
    expect(await find('sami@studio.example')).toMatchObject({ roles: ['support'] });
    expect(await declineRoles(testDb.db, { actorId: personId, personId, roles: ['finance'] })).toEqual({
      ok: false,
      reason: 'not_allowed',
    });
    expect(await declineRoles(testDb.db, { actorId: fionaId, personId, roles: ['finance'] })).toEqual({ ok: true });
    await changeRoles(testDb.db, change, DAY);
    expect(await declineRoles(testDb.db, { actorId: adminId, personId, roles: ['finance'] })).toEqual({ ok: true });
    expect(await find('sami@studio.example')).toMatchObject({ roles: ['support'], request: null });
  });

  test('an admin who is finance too doesn’t approve their own request, and nobody one of an admin whose account stopped counting', async () => {
    const { personId } = await invite(['finance'], 'nora@studio.example', fayId);
    const decision = { personId, roles: ['finance'] as const };
    expect(await approveRoles(testDb.db, { ...decision, actorId: fayId }, DAY)).toEqual({ ok: false, reason: 'same_person' });
    await resetPasswordLink(testDb.db, { actorId: adminId, personId: fayId }, SHOWN);
    expect(await approveRoles(testDb.db, { ...decision, actorId: fionaId }, DAY)).toEqual({ ok: false, reason: 'preparer_unconfirmed' });
  });

  test('who is too new, disabled or without the right approves no roles', async () => {
    const { personId } = await invite(['finance']);
    const by = async (actorId: string): Promise<unknown> => await approveRoles(testDb.db, { actorId, personId, roles: ['finance'] }, DAY);
    const support = await seedPerson(testDb.db, 'sami@studio.example', 'support');
    expect(await by(support)).toEqual({ ok: false, reason: 'not_allowed' });
    await disablePerson(testDb.db, { actorId: adminId, personId: fionaId });
    expect(await by(fionaId)).toEqual({ ok: false, reason: 'not_allowed' });
    await enablePerson(testDb.db, { actorId: adminId, personId: fionaId }, DAY);
    expect(await by(fionaId)).toEqual({ ok: false, reason: 'unconfirmed' });
    await resetPasswordLink(testDb.db, { actorId: adminId, personId: fayId }, { isMailed: true });
    await testDb.db
      .updateTable('person')
      .set({ counts_from: sql<string>`clock_now() + interval '1 minute'` })
      .where('id', '=', fayId)
      .execute();
    expect(await by(fayId)).toEqual({ ok: false, reason: 'too_new' });
  });

  test('finance and admin are given by two, other roles by one', async () => {
    expect((await invite(['admin'])).isWaiting).toBe(true);
    expect(await find('nora@studio.example')).toMatchObject({ roles: ['viewer'], request: { roles: ['admin'] } });
    expect((await invite(['support', 'auditor'], 'sol@studio.example')).isWaiting).toBe(false);
  });

  test('a new password by a link takes confirmation away and lets the account wait a day', async () => {
    const link = await resetPasswordLink(testDb.db, { actorId: adminId, personId: fionaId }, SHOWN);
    expect(await find('fiona@studio.example')).toMatchObject({ isConfirmed: false, status: 'unconfirmed' });
    await useSetUpLink(testDb.db, { token: link.ok ? link.token : '', name: 'Fiona', email: '', password: 'a sentence of my own' }, DAY);
    expect(await hoursUntilCounting('fiona@studio.example')).toBe(24);
    expect(await findApprover(testDb.db, fionaId, adminId)).toMatchObject({ accounts: { own: 'unconfirmed' } });
  });

  test('in simulated data nobody waits', async () => {
    const { personId } = await invite(['finance']);
    await approveRoles(testDb.db, { actorId: fionaId, personId, roles: ['finance'] }, { accountWait_hours: 0 });
    expect(await findApprover(testDb.db, personId, fionaId)).toMatchObject({ accounts: { own: 'unconfirmed' } });
    expect(await hoursUntilCounting('nora@studio.example')).toBe(0);
  });
});
