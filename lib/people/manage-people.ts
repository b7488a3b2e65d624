import { isDeepStrictEqual } from 'node:util';
import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import { type AccountRefusal, accountRefusalOf } from '../approvals/rules/approval.ts';
import { may, orderRoles, type Role } from '../core/roles.ts';
import { announcePerson } from '../notices/announce.ts';
import { hashPassword } from './password.ts';
import {
  type AccountWait,
  DEMO_PASSWORD,
  DEMO_PEOPLE,
  isAbleAdmin,
  isNameTaken,
  needsSecondPerson,
  parseIdentity,
  rolesBeforeApproval,
} from './rules/person.ts';
import { makeLink } from './set-up-link.ts';
import { insertConfirmation, insertDoubt } from './writes/confirmations.ts';
import {
  changePeople,
  deleteSessions,
  insertPerson,
  listStoredPeople,
  type StoredPerson,
  updatePerson,
  updateShortcuts,
  upsertPassword,
} from './writes/people.ts';
import { withdrawLinks } from './writes/set-up-links.ts';

/** Switches the single keys of a person on or off. A preference isn't audited. */
export async function setShortcuts(db: Db, personId: string, hasShortcuts: boolean): Promise<void> {
  await updateShortcuts(db, personId, hasShortcuts);
}

export interface NewPerson {
  /** Id of the admin who adds them. */
  actorId: string;
  email: string;
  name: string;
  roles: Role[];
}

export type PersonAdded =
  | {
      ok: true;
      personId: string /** Token of the one-time link to hand over. */;
      token: string /** Some of the roles wait for a second person. */;
      isWaiting: boolean;
    }
  | { ok: false; reason: AdminRefusal | 'bad_email' | 'bad_name' | 'name_taken' | 'no_role' | 'email_taken' };

/**
 * Adds a person with their roles. They set their own password through a one-time link. Who adds them is the first of two behind the account;
 * the roles finance and admin wait for a second person, and until then the person has their other roles, or reads figures.
 */
export async function addPerson(db: Db, { actorId, roles: given, ...typed }: NewPerson): Promise<PersonAdded> {
  const parsed = parseIdentity(typed);
  if (!parsed.ok) return parsed;
  const roles = orderRoles(given);
  if (roles.length === 0) return { ok: false, reason: 'no_role' };
  const { email, name } = parsed.identity;
  return await changeAsAdmin<PersonAdded>(db, actorId, `invite ${email}`, async ({ trx, admin, people }) => {
    if (people.some((person) => person.email === email)) return { ok: false, reason: 'email_taken' };
    if (isNameTaken(name, people)) return { ok: false, reason: 'name_taken' };
    const isWaiting = needsSecondPerson([], roles);
    const personId = await insertPerson(trx, { email, name, roles: isWaiting ? rolesBeforeApproval(roles) : roles });
    if (isWaiting) await updatePerson(trx, personId, { request: { roles, by: admin.id } });
    await insertConfirmation(trx, { personId, by: admin.id, basis: 'invitation' });
    const token = await makeLink(trx, { purpose: 'invitation', personId, madeBy: admin.email });
    await recordAudit(trx, {
      actor: admin.email,
      act: isWaiting ? 'added a person, whose roles wait for approval' : 'added a person',
      subject: email,
      detail: { roles },
    });
    await announcePerson(trx, { kind: 'person_invited', actorId: admin.id, person: { name }, roles });
    return { ok: true, personId, token, isWaiting };
  });
}

export type RolesChanged =
  | { ok: true; sessionsEnded: number /** Nothing has changed yet: the roles wait for a second person. */; isWaiting: boolean }
  | { ok: false; reason: AdminRefusal | 'no_role' | 'unknown_person' | 'same_roles' | 'last_admin' };

/**
 * Gives a person other roles and signs them out everywhere. The roles finance and admin, where they don't have them yet, wait for a second
 * person. After any other new role the account waits before it counts as one of two people. The last admin who can sign in stays one.
 */
export async function changeRoles(
  db: Db,
  { actorId, personId, roles: given }: { actorId: string; personId: string; roles: Role[] },
  { accountWait_hours }: AccountWait,
): Promise<RolesChanged> {
  const roles = orderRoles(given);
  if (roles.length === 0) return { ok: false, reason: 'no_role' };
  return await changeAsAdmin<RolesChanged>(db, actorId, 'change roles', async ({ trx, admin, people }) => {
    const person = people.find(({ id }) => id === personId);
    if (!person) return { ok: false, reason: 'unknown_person' };
    if (isDeepStrictEqual(person.roles, roles) && person.request === null) return { ok: false, reason: 'same_roles' };
    if (!may(roles, 'people.manage') && isLastAdmin(people, personId)) return { ok: false, reason: 'last_admin' };
    const detail = { before: person.roles, after: roles };
    const isWaiting = needsSecondPerson(person.roles, roles);
    const isNew = roles.some((role) => !person.roles.includes(role));
    await updatePerson(
      trx,
      personId,
      isWaiting
        ? { request: { roles, by: admin.id } }
        : { roles, request: null, ...(isNew ? { countsAfter_hours: accountWait_hours } : {}) },
    );
    const sessionsEnded = isWaiting ? 0 : await deleteSessions(trx, personId);
    const act = isWaiting ? 'asked to change roles' : 'changed roles';
    await recordAudit(trx, { actor: admin.email, act, subject: person.email, detail });
    await announcePerson(trx, { kind: isWaiting ? 'roles_requested' : 'roles_changed', actorId: admin.id, person, roles });
    return { ok: true, sessionsEnded, isWaiting };
  });
}

export type LinkMade =
  | { ok: true /** Token of the one-time link. */; token: string; email: string }
  | { ok: false; reason: AdminRefusal | 'unknown_person' | 'disabled' };

/**
 * Makes a new one-time link to set a password and closes earlier ones. The current password works until the link is used. Anyone who has the link
 * can take the account over, so it takes the account's confirmation away, also one that is under way, until someone else than its maker confirms it; not
 * where the link goes to the person's own email address and nobody else sees it, or for an admin's own account.
 */
export async function resetPasswordLink(
  db: Db,
  { actorId, personId }: AccessChange,
  { isMailed }: { isMailed: boolean },
): Promise<LinkMade> {
  return await changeAsAdmin<LinkMade>(db, actorId, 'make a password link', async ({ trx, admin, people }) => {
    const person = people.find(({ id }) => id === personId);
    if (!person) return { ok: false, reason: 'unknown_person' };
    if (person.isDisabled) return { ok: false, reason: 'disabled' };
    const purpose = person.hasPassword ? 'new_password' : 'invitation';
    if (!isMailed && personId !== admin.id) await insertDoubt(trx, { personId, by: admin.id, basis: 'password_link' });
    const token = await makeLink(trx, { purpose, personId, madeBy: admin.email });
    const detail = { link: isMailed ? 'emailed to the person' : 'shown to who made it' };
    await recordAudit(trx, { actor: admin.email, act: 'made a password link', subject: person.email, detail });
    await announcePerson(trx, { kind: 'password_link', actorId: admin.id, person });
    return { ok: true, token, email: person.email };
  });
}

/** Closes the open links of a person whose email wasn't accepted by the mail server. */
export async function withdrawPasswordLink(db: Db, { actorId, personId }: AccessChange): Promise<void> {
  await changePeople(db, async (trx) => {
    const people = await listStoredPeople(trx);
    const [actor, person] = [actorId, personId].map((id) => people.find((each) => each.id === id));
    if (actor === undefined || person === undefined) return;
    await withdrawLinks(trx, personId);
    await recordAudit(trx, {
      actor: actor.email,
      act: 'withdrew a password link',
      subject: person.email,
      detail: { reason: 'not emailed' },
    });
  });
}

export interface AccessChange {
  /** Id of the admin who acts. */
  actorId: string;
  personId: string;
}

export type AccessChanged = { ok: true } | { ok: false; reason: AdminRefusal | 'unknown_person' | 'already_so' | 'last_admin' };

/** Disables a person: ends their sessions, closes their links; their name stays in the records. The last admin who can sign in stays. */
export async function disablePerson(db: Db, { actorId, personId }: AccessChange): Promise<AccessChanged> {
  return await changeAsAdmin<AccessChanged>(db, actorId, 'disable a person', async ({ trx, admin, people }) => {
    const person = people.find(({ id }) => id === personId);
    if (!person) return { ok: false, reason: 'unknown_person' };
    if (person.isDisabled) return { ok: false, reason: 'already_so' };
    if (isLastAdmin(people, personId)) return { ok: false, reason: 'last_admin' };
    await updatePerson(trx, personId, { isDisabled: true, request: null });
    await withdrawLinks(trx, personId);
    await deleteSessions(trx, personId);
    await recordAudit(trx, { actor: admin.email, act: 'disabled a person', subject: person.email });
    await announcePerson(trx, { kind: 'person_disabled', actorId: admin.id, person });
    return { ok: true };
  });
}

/**
 * Enables a person again, with the roles and the password they had. Someone else than who enables them must confirm the account: a former
 * colleague's account must not come back as a second person by one admin alone. It waits before it counts.
 */
export async function enablePerson(
  db: Db,
  { actorId, personId }: AccessChange,
  { accountWait_hours }: AccountWait,
): Promise<AccessChanged> {
  return await changeAsAdmin<AccessChanged>(db, actorId, 'enable a person', async ({ trx, admin, people }) => {
    const person = people.find(({ id }) => id === personId);
    if (!person) return { ok: false, reason: 'unknown_person' };
    if (!person.isDisabled) return { ok: false, reason: 'already_so' };
    await updatePerson(trx, personId, { isDisabled: false, countsAfter_hours: accountWait_hours });
    if (personId !== admin.id) await insertDoubt(trx, { personId, by: admin.id, basis: 'enabled' });
    await recordAudit(trx, { actor: admin.email, act: 'enabled a person', subject: person.email });
    await announcePerson(trx, { kind: 'person_enabled', actorId: admin.id, person });
    return { ok: true };
  });
}

interface AdminContext {
  trx: Db;
  /** The admin who acts, as stored now. */
  admin: StoredPerson;
  people: StoredPerson[];
}

/** Why an admin can't change people: no longer an admin, or an account that doesn't count as one of two people. */
export type AdminRefusal = 'not_allowed' | AccountRefusal;

/**
 * Runs a change by an admin, described as the end of "was refused to …". Their roles and account are read again inside the transaction, so that a
 * person demoted a moment ago changes nothing. What an admin does puts them behind accounts, so their own has to count.
 */
export async function changeAsAdmin<Result>(
  db: Db,
  actorId: string,
  what: string,
  change: (context: AdminContext) => Promise<Result>,
): Promise<Result | { ok: false; reason: AdminRefusal }> {
  return await changePeople(db, async (trx) => {
    const people = await listStoredPeople(trx);
    const admin = people.find(({ id }) => id === actorId);
    if (!admin) return { ok: false, reason: 'not_allowed' };
    const mayManage = !admin.isDisabled && may(admin.roles, 'people.manage');
    const reason: AdminRefusal | null = mayManage ? accountRefusalOf(admin.status) : 'not_allowed';
    if (reason !== null) return await auditRefusal(trx, { actor: admin, what: `to ${what}`, subject: 'people' }, { ok: false, reason });
    return await change({ trx, admin, people });
  });
}

/** Whether nobody else can manage people: the others are disabled, have no password yet or another role. */
export function isLastAdmin(people: StoredPerson[], id: string): boolean {
  const able = people.filter(isAbleAdmin);
  return able.some((person) => person.id === id) && able.length === 1;
}

/**
 * Adds the demo people that a simulated database does not have yet. Returns how many.
 * Errors: throws when the data is not simulated, before anything is written.
 */
export async function ensureDemoPeople(db: Db, { isSimulated }: { isSimulated: boolean }): Promise<number> {
  if (!isSimulated) throw new Error('demo people belong in a simulated database only');
  if ((await listMissing(db)).length === 0) return 0;
  const passwordHash = await hashPassword(DEMO_PASSWORD);
  return await changePeople(db, async (trx) => {
    const missing = await listMissing(trx);
    for (const person of missing) {
      const id = await insertPerson(trx, person);
      await upsertPassword(trx, id, passwordHash);
      await insertConfirmation(trx, { personId: id, by: null, basis: 'simulated' });
      await recordAudit(trx, { actor: 'command line', act: 'added a demo person', subject: person.email, detail: { roles: person.roles } });
    }
    return missing.length;
  });
}

async function listMissing(db: Parameters<typeof listStoredPeople>[0]): Promise<typeof DEMO_PEOPLE> {
  const emails = new Set((await listStoredPeople(db)).map((person) => person.email));
  return DEMO_PEOPLE.filter((person) => !emails.has(person.email));
}
