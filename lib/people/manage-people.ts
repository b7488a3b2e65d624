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
import { may, type Role } from '../core/roles.ts';
import { makeLink } from './make-set-up-link.ts';
import { isAbleAdmin, parseIdentity } from './rules/person.ts';

export interface NewPerson {
  /** Id of the admin who adds them. */
  actorId: string;
  email: string;
  name: string;
  role: Role;
}

export type PersonAdded =
  | { ok: true; personId: string /** Token of the one-time link to hand over. */; token: string }
  | { ok: false; reason: 'not_allowed' | 'bad_email' | 'bad_name' | 'email_taken' };

/** Adds a person with a role. They set their own password through the one-time link the admin hands over. */
export async function addPerson(db: Db, { actorId, role, ...typed }: NewPerson): Promise<PersonAdded> {
  const parsed = parseIdentity(typed);
  if (!parsed.ok) return parsed;
  const { email, name } = parsed.identity;
  return await changeAsAdmin<PersonAdded>(db, actorId, async ({ trx, admin, people }) => {
    if (people.some((person) => person.email === email)) return { ok: false, reason: 'email_taken' };
    const personId = await insertPerson(trx, { email, name, role });
    const token = await makeLink(trx, { purpose: 'invitation', personId, madeBy: admin.email });
    await recordAudit(trx, { actor: admin.email, act: 'added a person', subject: email, detail: { role } });
    return { ok: true, personId, token };
  });
}

export type RoleChanged =
  | { ok: true; sessionsEnded: number }
  | { ok: false; reason: 'not_allowed' | 'unknown_person' | 'same_role' | 'last_admin' };

/** Gives a person another role and signs them out everywhere. The last admin who can sign in keeps the role. */
export async function changeRole(
  db: Db,
  { actorId, personId, role }: { actorId: string; personId: string; role: Role },
): Promise<RoleChanged> {
  return await changeAsAdmin<RoleChanged>(db, actorId, async ({ trx, admin, people }) => {
    const person = people.find(({ id }) => id === personId);
    if (!person) return { ok: false, reason: 'unknown_person' };
    if (person.role === role) return { ok: false, reason: 'same_role' };
    if (!may(role, 'people.manage') && isLastAdmin(people, personId)) return { ok: false, reason: 'last_admin' };
    await updatePerson(trx, personId, { role });
    const sessionsEnded = await deleteSessions(trx, personId);
    await recordAudit(trx, {
      actor: admin.email,
      act: 'changed a role',
      subject: person.email,
      detail: { before: person.role, after: role },
    });
    return { ok: true, sessionsEnded };
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
    await updatePerson(trx, personId, { isDisabled: true });
    await withdrawLinks(trx, personId);
    await deleteSessions(trx, personId);
    await recordAudit(trx, { actor: admin.email, act: 'disabled a person', subject: person.email });
    return { ok: true };
  });
}

/** Enables a person again, with the role and the password they had. */
export async function enablePerson(db: Db, { actorId, personId }: AccessChange): Promise<AccessChanged> {
  return await changeAsAdmin<AccessChanged>(db, actorId, async ({ trx, admin, people }) => {
    const person = people.find(({ id }) => id === personId);
    if (!person) return { ok: false, reason: 'unknown_person' };
    if (!person.isDisabled) return { ok: false, reason: 'already_so' };
    await updatePerson(trx, personId, { isDisabled: false });
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

// The role is read again inside the transaction, so that a person demoted a moment ago changes nothing.
async function changeAsAdmin<Result>(
  db: Db,
  actorId: string,
  change: (context: AdminContext) => Promise<Result>,
): Promise<Result | { ok: false; reason: 'not_allowed' }> {
  return await changePeople(db, async (trx) => {
    const people = await listStoredPeople(trx);
    const admin = people.find(({ id }) => id === actorId);
    if (!admin || admin.isDisabled || !may(admin.role, 'people.manage')) return { ok: false, reason: 'not_allowed' };
    return await change({ trx, admin, people });
  });
}

// True when nobody else can manage people: the others are disabled, have no password yet or another role.
function isLastAdmin(people: StoredPerson[], id: string): boolean {
  const able = people.filter(isAbleAdmin);
  return able.some((person) => person.id === id) && able.length === 1;
}
