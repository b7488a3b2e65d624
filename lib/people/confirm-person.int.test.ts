// @module-tag no-retry
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { confirmAsShown, readAudit, seedPerson } from '#e2e/support/people/seed-people.ts';
import { resetFactor } from '#lib/two-factor/manage-factors.ts';
import type { Role } from '../core/roles.ts';
import { addPerson, changeRoles, disablePerson, enablePerson, resetPasswordLink } from './manage-people.ts';
import { listPeople } from './reads.ts';
import { approveRoles, confirmAsOperator, confirmPerson } from './second-person.ts';
import { createSetUpLink, useSetUpLink } from './set-up-link.ts';
import { formatConfirmations, isConfirmedByTwo, isConfirmedByUpgrade } from './text.ts';
import { listStoredPeople, type StoredPerson } from './writes/people.ts';

const DAY = { accountWait_hours: 24 };
const [SHOWN, MAILED] = [{ isMailed: false }, { isMailed: true }];
let testDb: TestDb;
beforeAll(async () => {
  testDb = await createTestDb();
});
afterAll(async () => await testDb.close());
beforeEach(async () => {
  for (const table of ['person_confirmation', 'second_factor', 'set_up_link', 'person_session', 'person_password'] as const)
    await testDb.db.deleteFrom(table).execute();
  await sql`set session_replication_role = replica`.execute(testDb.db).catch(() => null);
  await sql`delete from notice_delivery`.execute(testDb.db);
  await testDb.db.deleteFrom('person').execute();
});

const seed = (name: string, ...roles: Role[]): Promise<string> => seedPerson(testDb.db, `${name}@studio.example`, roles);
const setPassword = (token: string) =>
  useSetUpLink(testDb.db, { token, name: token.slice(0, 20), email: 'ada@studio.example', password: 'a sentence of my own' }, DAY);

async function find(name: string): Promise<StoredPerson> {
  const found = (await listStoredPeople(testDb.db)).find(({ email }) => email === `${name}@studio.example`);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

async function invite(actorId: string, name: string, ...roles: Role[]): Promise<string> {
  const added = await addPerson(testDb.db, { actorId, email: `${name}@studio.example`, name, roles });
  if (!added.ok) throw new Error(added.reason);
  expect(await setPassword(added.token)).toMatchObject({ ok: true });
  return added.personId;
}

async function link(actorId: string, personId: string, how = SHOWN): Promise<string> {
  const made = await resetPasswordLink(testDb.db, { actorId, personId }, how);
  if (!made.ok) throw new Error(made.reason);
  return made.token;
}

/** As if a day had passed for everyone. */
const passADay = () => testDb.pool.query(`update person set counts_from = counts_from - interval '24 hours'`);

describe('a new installation', () => {
  test('begins with the first admin, whom the operator confirms, and two founders who approve at once with the operator as second', async () => {
    await setPassword((await createSetUpLink(testDb.db)) ?? '');
    const ada = (await find('ada')).id;
    expect(await find('ada')).toMatchObject({ roles: ['admin'], isConfirmed: true, status: 'counts' });
    await changeRoles(testDb.db, { actorId: ada, personId: ada, roles: ['finance', 'admin'] }, DAY);
    expect(await confirmAsOperator(testDb.db, ' ADA@studio.example\n', DAY)).toMatchObject({ ok: true, rolesGiven: ['finance', 'admin'] });
    const fiona = await invite(ada, 'fiona', 'finance');
    expect(await find('fiona')).toMatchObject({ roles: ['viewer'], isConfirmed: false });
    expect(await confirmAsOperator(testDb.db, 'fiona@studio.example', DAY)).toMatchObject({ isConfirmed: true, rolesGiven: ['finance'] });
    for (const name of ['ada', 'fiona']) expect(await find(name)).toMatchObject({ status: 'counts' });

    // A third one needs someone else than who invited them for the account and for the role, and waits a day.
    const nora = await invite(ada, 'nora', 'finance');
    expect(await confirmAsShown(testDb.db, { actorId: ada, personId: nora })).toEqual({ ok: false, reason: 'own_doubt' });
    expect(await confirmAsShown(testDb.db, { actorId: fiona, personId: nora })).toEqual({ ok: true, isConfirmed: true });
    expect(await approveRoles(testDb.db, { actorId: fiona, personId: nora, roles: ['finance'] }, DAY)).toEqual({ ok: true });
    expect(await find('nora')).toMatchObject({ roles: ['finance'], isConfirmed: true, status: 'too_new' });
    await passADay();
    expect(await find('nora')).toMatchObject({ status: 'counts' });
    expect((await readAudit(testDb.db)).filter(({ act }) => act === 'confirmed an account').slice(-3)).toMatchObject([
      { actor: 'command line', subject: 'ada@studio.example' },
      { actor: 'command line', subject: 'fiona@studio.example', detail: { asked_by: 'ada@studio.example' } },
      { actor: 'fiona@studio.example', subject: 'nora@studio.example' },
    ]);
  });

  test('the operator gives no roles that an account which doesn’t count requested', { tags: 'proof' }, async () => {
    const [ada, gus] = [await seed('ada', 'admin'), await seed('gus', 'admin')];
    const nora = await invite(ada, 'nora', 'finance');
    await link(gus, ada);
    expect(await confirmAsOperator(testDb.db, 'nora@studio.example', DAY)).toMatchObject({ isConfirmed: false, rolesGiven: [] });
    // The requester is confirmed again: both count from then on.
    await confirmAsOperator(testDb.db, 'ada@studio.example', DAY);
    expect((await find('nora')).isConfirmed).toBe(true);
    expect(await confirmAsOperator(testDb.db, 'nora@studio.example', DAY)).toMatchObject({ ok: true, rolesGiven: ['finance'] });
    expect(nora).toBe((await find('nora')).id);
  });

  test('nobody is confirmed before they set a password, twice by one person, by themselves or by an unknown email', async () => {
    const [ada, fin] = [await seed('ada', 'admin'), await seed('fin', 'finance')];
    const added = await addPerson(testDb.db, { actorId: ada, email: 'nora@studio.example', name: 'Nora', roles: ['support'] });
    const nora = added.ok ? added.personId : '';
    expect(await confirmAsShown(testDb.db, { actorId: fin, personId: nora })).toEqual({ ok: false, reason: 'no_password' });
    expect(await confirmAsOperator(testDb.db, 'nora@studio.example', DAY)).toEqual({ ok: false, reason: 'no_password' });
    expect(await confirmAsOperator(testDb.db, 'nobody@studio.example', DAY)).toEqual({ ok: false, reason: 'unknown_person' });
    expect(await confirmAsShown(testDb.db, { actorId: fin, personId: fin })).toEqual({ ok: false, reason: 'same_person' });
    await setPassword(added.ok ? added.token : '');
    const sol = await seed('sol', 'support');
    expect(await confirmAsShown(testDb.db, { actorId: sol, personId: nora })).toEqual({ ok: false, reason: 'not_allowed' });
    expect(await confirmAsShown(testDb.db, { actorId: fin, personId: nora })).toEqual({ ok: true, isConfirmed: true });
    expect(await confirmAsShown(testDb.db, { actorId: fin, personId: nora })).toEqual({ ok: false, reason: 'own_doubt' });
  });
});

describe('one person alone', () => {
  test('gets no second account that counts: by a puppet admin, a link of the puppet for someone else, and their own confirmation', async () => {
    const ada = await seed('ada', 'finance', 'admin');
    const fiona = await seed('fiona', 'finance');
    const zed = await invite(ada, 'zed', 'admin');
    expect(await find('zed')).toMatchObject({ roles: ['viewer'], isConfirmed: false });
    expect(await approveRoles(testDb.db, { actorId: ada, personId: zed, roles: ['admin'] }, DAY)).toEqual({
      ok: false,
      reason: 'same_person',
    });
    expect(await confirmAsShown(testDb.db, { actorId: ada, personId: zed })).toEqual({ ok: false, reason: 'own_doubt' });
    // Even an admin whose account doesn't count makes no link, no invitation and no request.
    await sql`update person set roles = '{admin}' where id = ${zed}`.execute(testDb.db);
    const refused = { ok: false, reason: 'unconfirmed' };
    expect(await resetPasswordLink(testDb.db, { actorId: zed, personId: fiona }, SHOWN)).toEqual(refused);
    expect(await addPerson(testDb.db, { actorId: zed, email: 'yan@studio.example', name: 'Yan', roles: ['viewer'] })).toEqual(refused);
    expect(await changeRoles(testDb.db, { actorId: zed, personId: ada, roles: ['viewer'] }, DAY)).toEqual(refused);
    expect(await resetFactor(testDb.db, { actorId: zed, personId: fiona }, DAY)).toEqual(refused);
    expect((await readAudit(testDb.db)).at(-1)).toMatchObject({
      actor: 'zed@studio.example',
      act: 'was refused to reset two-factor authentication',
    });
  });

  test('takes over an account by a link, and it stops counting until someone else confirms it, who can’t be the same person', {
    tags: 'proof',
  }, async () => {
    const [ada, gus] = [await seed('ada', 'finance', 'admin'), await seed('gus', 'admin')];
    const [fiona, bob] = [await seed('fiona', 'finance'), await seed('bob', 'finance')];
    await setPassword(await link(ada, fiona));
    expect(await find('fiona')).toMatchObject({ isConfirmed: false, status: 'unconfirmed' });
    expect(await confirmAsShown(testDb.db, { actorId: ada, personId: fiona })).toEqual({ ok: false, reason: 'own_doubt' });
    // Nor does a link or a reset that an honest admin makes for a puppet put that admin behind it: only a confirmation does.
    const zed = await invite(ada, 'zed', 'support');
    await link(gus, zed);
    expect(await confirmAsShown(testDb.db, { actorId: ada, personId: zed })).toEqual({ ok: true, isConfirmed: false });
    // The taken-over account of an admin helps no more: neither its link nor its maker's confirmation is the second one.
    await setPassword(await link(ada, gus));
    expect(await confirmAsShown(testDb.db, { actorId: gus, personId: fiona })).toEqual({ ok: false, reason: 'unconfirmed' });
    await passADay();
    expect(await find('fiona')).toMatchObject({ status: 'unconfirmed' });
    expect(await confirmAsShown(testDb.db, { actorId: bob, personId: fiona })).toEqual({ ok: true, isConfirmed: true });
    expect(await find('fiona')).toMatchObject({ status: 'counts' });
  });

  test('gets no second account that counts by a new link for someone whom another person invited and who has no password yet', {
    tags: 'proof',
  }, async () => {
    const [bob, mallory] = [await seed('bob', 'admin'), await seed('mallory', 'finance', 'admin')];
    const fiona = await seed('fiona', 'finance');
    const added = await addPerson(testDb.db, { actorId: bob, email: 'nora@studio.example', name: 'Nora', roles: ['finance'] });
    const nora = added.ok ? added.personId : '';
    await setPassword(await link(mallory, nora));
    const ownDoubt = { ok: false, reason: 'own_doubt' };
    expect(await confirmAsShown(testDb.db, { actorId: mallory, personId: nora })).toEqual(ownDoubt);
    expect(await approveRoles(testDb.db, { actorId: mallory, personId: nora, roles: ['finance'] }, DAY)).toEqual({ ok: true });
    await passADay();
    expect(await find('nora')).toMatchObject({ isConfirmed: false, status: 'unconfirmed' });
    // The invitation alone doesn't stand behind the new link: who invited her is still one person, and Fiona the second.
    expect(await confirmAsShown(testDb.db, { actorId: bob, personId: nora })).toEqual({ ok: true, isConfirmed: false });
    expect(await confirmAsShown(testDb.db, { actorId: fiona, personId: nora })).toEqual({ ok: true, isConfirmed: true });
  });

  test('gets nobody confirmed with the help of a disabled account: a disabled account confirms nobody', { tags: 'proof' }, async () => {
    const [ada, fin, bob] = [await seed('ada', 'admin'), await seed('fin', 'finance'), await seed('bob', 'admin')];
    const nora = await invite(bob, 'nora', 'support');
    const sol = await invite(ada, 'sol', 'support');
    await confirmAsShown(testDb.db, { actorId: bob, personId: sol });
    await link(ada, sol);
    await confirmAsShown(testDb.db, { actorId: bob, personId: sol });
    await disablePerson(testDb.db, { actorId: ada, personId: bob });
    expect(await confirmAsShown(testDb.db, { actorId: fin, personId: nora })).toEqual({ ok: true, isConfirmed: false });
    expect((await find('sol')).isConfirmed).toBe(true);
    expect(await confirmAsShown(testDb.db, { actorId: ada, personId: nora })).toEqual({ ok: true, isConfirmed: true });
  });

  test('can’t use a link made before someone else confirmed the account: a confirmation ends open links', { tags: 'proof' }, async () => {
    const [ada, fiona, bob] = [await seed('ada', 'admin'), await seed('fiona', 'finance'), await seed('bob', 'finance')];
    const token = await link(ada, fiona);
    expect(await confirmAsShown(testDb.db, { actorId: bob, personId: fiona })).toEqual({ ok: true, isConfirmed: true });
    expect(await setPassword(token)).toEqual({ ok: false, reason: 'withdrawn_link' });
  });

  test('loses a confirmation under way when its giver’s own account stops counting, and an account confirmed before retains it', {
    tags: 'proof',
  }, async () => {
    const [ada, gus, fin] = [await seed('ada', 'admin'), await seed('gus', 'admin'), await seed('fin', 'finance')];
    const nora = await invite(ada, 'nora', 'support');
    const sol = await invite(ada, 'sol', 'support');
    await confirmAsShown(testDb.db, { actorId: fin, personId: sol });
    await link(gus, ada);
    expect(await confirmAsShown(testDb.db, { actorId: fin, personId: nora })).toEqual({ ok: true, isConfirmed: false });
    expect((await find('sol')).isConfirmed).toBe(true);
    // The person who confirmed Nora's account counts again, and with them the account.
    expect(await confirmAsShown(testDb.db, { actorId: fin, personId: ada })).toEqual({ ok: true, isConfirmed: true });
    expect((await find('nora')).isConfirmed).toBe(true);
  });
});

describe('a password link', () => {
  test('that the mail server sends to its person leaves the account confirmed, and lets it wait a day once used', async () => {
    const [ada, fiona] = [await seed('ada', 'admin'), await seed('fiona', 'finance')];
    const token = await link(ada, fiona, MAILED);
    expect(await find('fiona')).toMatchObject({ isConfirmed: true, status: 'counts' });
    await setPassword(token);
    expect(await find('fiona')).toMatchObject({ isConfirmed: true, status: 'too_new' });
  });

  test('of an admin for themselves leaves the confirmation and waits a day; an account that one person enables again loses it', {
    tags: 'proof',
  }, async () => {
    const [ada, gus] = [await seed('ada', 'admin'), await seed('gus', 'admin')];
    await setPassword(await link(ada, ada));
    expect(await find('ada')).toMatchObject({ isConfirmed: true, status: 'too_new' });
    await disablePerson(testDb.db, { actorId: gus, personId: ada });
    expect(await find('ada')).toMatchObject({ status: 'disabled' });
    await enablePerson(testDb.db, { actorId: gus, personId: ada }, DAY);
    expect(await find('ada')).toMatchObject({ isConfirmed: false, status: 'unconfirmed' });
  });

  test('takes away the confirmation by an upgrade, which Settings names until two people stand behind the account', {
    tags: 'proof',
  }, async () => {
    const [ada, fiona, bob] = [await seed('ada', 'admin'), await seed('fiona', 'finance'), await seed('bob', 'finance')];
    const find = async () => (await listPeople(testDb.db)).people.find(({ id }) => id === fiona);
    const shown = async () => (await find())?.confirmations ?? [];
    const isMarked = async () => isConfirmedByUpgrade((await find()) ?? { isConfirmed: false, confirmations: [] });
    expect(await isMarked(), 'confirmed by nobody who is stored, and not by the upgrade').toBe(false);
    await sql`insert into person_confirmation (person_id, confirmation_no, basis) values (${fiona}, 1, 'upgrade')`.execute(testDb.db);
    expect(formatConfirmations(await shown())).toBe('Here before accounts were confirmed');
    expect(isConfirmedByTwo(await shown())).toBe(false);
    for (const actorId of [ada, bob]) {
      expect(await isMarked()).toBe(true);
      expect(await confirmAsShown(testDb.db, { actorId, personId: fiona })).toEqual({ ok: true, isConfirmed: true });
    }
    expect(await isMarked()).toBe(false);
    expect(formatConfirmations(await shown())).toBe('Here before accounts were confirmed, confirmed by ada, confirmed by bob');
    expect(isConfirmedByTwo(await shown())).toBe(true);
    await link(ada, fiona);
    expect(formatConfirmations(await shown())).toBe(
      'Here before accounts were confirmed, confirmed by ada, confirmed by bob, password link by ada',
    );
    expect(await find()).toMatchObject({ isConfirmed: false });
  });
});

test('a confirmation is bound to what the person saw: a link made or used since makes it too late', { tags: 'proof' }, async () => {
  const [ada, fin] = [await seed('ada', 'admin'), await seed('fin', 'finance')];
  const kim = await invite(ada, 'kim', 'support');
  const shown = async () => (await listPeople(testDb.db)).people.find(({ id }) => id === kim)?.confirmationVersion ?? '';
  const before = await shown();
  const token = await link(ada, kim);
  const made = await shown();
  await setPassword(token);
  for (const version of [before, made])
    expect(await confirmPerson(testDb.db, { actorId: fin, personId: kim, version })).toEqual({ ok: false, reason: 'moved_on' });
  expect((await find('kim')).isConfirmed).toBe(false);
  expect(await confirmPerson(testDb.db, { actorId: fin, personId: kim, version: await shown() })).toEqual({ ok: true, isConfirmed: true });
});

test('roles that two people give never take the role from the last admin who can sign in', async () => {
  const [ada, fin] = [await seed('ada', 'admin'), await seed('fin', 'finance')];
  const bob = await seed('bob', 'admin');
  await changeRoles(testDb.db, { actorId: ada, personId: ada, roles: ['finance'] }, DAY);
  await disablePerson(testDb.db, { actorId: ada, personId: bob });
  expect(await approveRoles(testDb.db, { actorId: fin, personId: ada, roles: ['finance'] }, DAY)).toEqual({
    ok: false,
    reason: 'last_admin',
  });
  expect(await confirmAsOperator(testDb.db, 'ada@studio.example', DAY)).toMatchObject({ ok: true, rolesGiven: [] });
  expect((await find('ada')).roles).toEqual(['admin']);
});
