import { isDeepStrictEqual } from 'node:util';
import { recordAudit } from '#db/audit/writes.ts';
import type { Db } from '#db/kit/open.ts';
import {
  changePeople,
  deleteSessions,
  insertPerson,
  listStoredPeople,
  type PeopleTransaction,
  type StoredPerson,
  updatePerson,
  withdrawLinks,
} from '#db/people/writes.ts';
import { may, orderRoles, type Role } from '../core/roles.ts';
import { makeLink } from './make-set-up-link.ts';
import { givesApproval, isAbleAdmin, isFounder, parseIdentity, rolesBeforeApproval } from './rules/person.ts';

export interface NewPerson {
  /** Id of the admin who adds them. */
  actorId: string;
  email: string;
  name: string;
  roles: Role[];
}

/** How long people who are new to approving wait; none in simulated data. */
export interface ApproverWait {
  approverWait_hours: number;
}

/** Why roles that approve are given without a second person. */
const FOUNDER_DETAIL = { approves: 'at once, one of the first two people with the right to approve' };

export type PersonAdded =
  | {
      ok: true;
      personId: string /** Token of the one-time link to hand over. */;
      token: string /** The roles wait for a second person. */;
      isWaiting: boolean;
    }
  | { ok: false; reason: 'not_allowed' | 'bad_email' | 'bad_name' | 'no_role' | 'email_taken' };

/**
 * Adds a person with their roles. They set their own password through the one-time link the admin hands over. A right to approve waits for
 * a second person; until then they have their other roles, or read figures.
 */
export async function addPerson(db: Db, { actorId, roles: given, ...typed }: NewPerson): Promise<PersonAdded> {
  const parsed = parseIdentity(typed);
  if (!parsed.ok) return parsed;
  const roles = orderRoles(given);
  if (roles.length === 0) return { ok: false, reason: 'no_role' };
  const { email, name } = parsed.identity;
  return await changeAsAdmin<PersonAdded>(db, actorId, async ({ trx, admin, people }) => {
    if (people.some((person) => person.email === email)) return { ok: false, reason: 'email_taken' };
    const isApprover = givesApproval([], roles);
    const isAlone = isApprover && isFounder({ id: '' }, people);
    const isWaiting = isApprover && !isAlone;
    const personId = await insertPerson(trx, { email, name, roles: isWaiting ? rolesBeforeApproval(roles) : roles });
    if (isWaiting) await updatePerson(trx, personId, { request: { roles, by: admin.id } });
    if (isAlone) await updatePerson(trx, personId, { approvesAfter_hours: 0 });
    const token = await makeLink(trx, { purpose: 'invitation', personId, madeBy: admin.email });
    await recordAudit(trx, {
      actor: admin.email,
      act: isWaiting ? 'added a person, whose roles wait for approval' : 'added a person',
      subject: email,
      detail: { roles, ...(isAlone ? FOUNDER_DETAIL : {}) },
    });
    return { ok: true, personId, token, isWaiting };
  });
}

export type RolesChanged =
  | { ok: true; sessionsEnded: number /** Nothing has changed yet: the roles wait for a second person. */; isWaiting: boolean }
  | { ok: false; reason: 'not_allowed' | 'no_role' | 'unknown_person' | 'same_roles' | 'last_admin' };

/**
 * Gives a person other roles and signs them out everywhere. A right to approve that they don't have yet waits for a second person. The last
 * admin who can sign in stays one.
 */
export async function changeRoles(
  db: Db,
  { actorId, personId, roles: given }: { actorId: string; personId: string; roles: Role[] },
): Promise<RolesChanged> {
  const roles = orderRoles(given);
  if (roles.length === 0) return { ok: false, reason: 'no_role' };
  return await changeAsAdmin<RolesChanged>(db, actorId, async ({ trx, admin, people }) => {
    const person = people.find(({ id }) => id === personId);
    if (!person) return { ok: false, reason: 'unknown_person' };
    if (isDeepStrictEqual(person.roles, roles) && person.request === null) return { ok: false, reason: 'same_roles' };
    if (!may(roles, 'people.manage') && isLastAdmin(people, personId)) return { ok: false, reason: 'last_admin' };
    const isApprover = givesApproval(person.roles, roles);
    const isAlone = isApprover && isFounder(person, people);
    const detail = { before: person.roles, after: roles };
    if (isApprover && !isAlone) {
      await updatePerson(trx, personId, { request: { roles, by: admin.id } });
      await recordAudit(trx, { actor: admin.email, act: 'asked to change roles', subject: person.email, detail });
      return { ok: true, sessionsEnded: 0, isWaiting: true };
    }
    await updatePerson(trx, personId, { roles, request: null, ...(isAlone ? { approvesAfter_hours: 0 } : {}) });
    const sessionsEnded = await deleteSessions(trx, personId);
    await recordAudit(trx, {
      actor: admin.email,
      act: 'changed roles',
      subject: person.email,
      detail: { ...detail, ...(isAlone ? FOUNDER_DETAIL : {}) },
    });
    return { ok: true, sessionsEnded, isWaiting: false };
  });
}

export type LinkMade =
  | { ok: true /** Token of the one-time link to hand over. */; token: string }
  | { ok: false; reason: 'not_allowed' | 'unknown_person' | 'disabled' };

/** Makes a new one-time link to set a password and closes earlier ones. The current password works until the link is used. */
export async function resetPasswordLink(db: Db, { actorId, personId }: AccessChange): Promise<LinkMade> {
  return await changeAsAdmin<LinkMade>(db, actorId, async ({ trx, admin, people }) => {
    const person = people.find(({ id }) => id === personId);
    if (!person) return { ok: false, reason: 'unknown_person' };
    if (person.isDisabled) return { ok: false, reason: 'disabled' };
    const token = await makeLink(trx, { purpose: person.hasPassword ? 'new_password' : 'invitation', personId, madeBy: admin.email });
    await recordAudit(trx, { actor: admin.email, act: 'made a password link', subject: person.email });
    return { ok: true, token };
  });
}

export interface AccessChange {
  /** Id of the admin who acts. */
  actorId: string;
  personId: string;
}

export type AccessChanged = { ok: true } | { ok: false; reason: 'not_allowed' | 'unknown_person' | 'already_so' | 'last_admin' };

/** Disables a person: ends their sessions, closes their links and keeps their name in the records. The last admin who can sign in stays. */
export async function disablePerson(db: Db, { actorId, personId }: AccessChange): Promise<AccessChanged> {
  return await changeAsAdmin<AccessChanged>(db, actorId, async ({ trx, admin, people }) => {
    const person = people.find(({ id }) => id === personId);
    if (!person) return { ok: false, reason: 'unknown_person' };
    if (person.isDisabled) return { ok: false, reason: 'already_so' };
    if (isLastAdmin(people, personId)) return { ok: false, reason: 'last_admin' };
    await updatePerson(trx, personId, { isDisabled: true, request: null });
    await withdrawLinks(trx, personId);
    await deleteSessions(trx, personId);
    await recordAudit(trx, { actor: admin.email, act: 'disabled a person', subject: person.email });
    return { ok: true };
  });
}

/** Enables a person again, with the roles and the password they had. A right to approve waits as for a new account. */
export async function enablePerson(db: Db, { actorId, personId }: AccessChange, wait: ApproverWait): Promise<AccessChanged> {
  return await changeAsAdmin<AccessChanged>(db, actorId, async ({ trx, admin, people }) => {
    const person = people.find(({ id }) => id === personId);
    if (!person) return { ok: false, reason: 'unknown_person' };
    if (!person.isDisabled) return { ok: false, reason: 'already_so' };
    const { approverWait_hours: approvesAfter_hours } = wait;
    await updatePerson(trx, personId, { isDisabled: false, ...(person.approvesFrom === null ? {} : { approvesAfter_hours }) });
    await recordAudit(trx, { actor: admin.email, act: 'enabled a person', subject: person.email });
    return { ok: true };
  });
}

interface AdminContext {
  trx: PeopleTransaction;
  /** The admin who acts, as stored now. */
  admin: StoredPerson;
  people: StoredPerson[];
}

/** Runs a change by an admin. Their roles are read again inside the transaction, so that a person demoted a moment ago changes nothing. */
export async function changeAsAdmin<Result>(
  db: Db,
  actorId: string,
  change: (context: AdminContext) => Promise<Result>,
): Promise<Result | { ok: false; reason: 'not_allowed' }> {
  return await changePeople(db, async (trx) => {
    const people = await listStoredPeople(trx);
    const admin = people.find(({ id }) => id === actorId);
    if (!admin || admin.isDisabled || !may(admin.roles, 'people.manage')) return { ok: false, reason: 'not_allowed' };
    return await change({ trx, admin, people });
  });
}

// True when nobody else can manage people: the others are disabled, have no password yet or another role.
function isLastAdmin(people: StoredPerson[], id: string): boolean {
  const able = people.filter(isAbleAdmin);
  return able.some((person) => person.id === id) && able.length === 1;
}
