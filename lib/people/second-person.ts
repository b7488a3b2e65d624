import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import { accountRefusalOf, approverRefusalOf } from '../approvals/rules/approval.ts';
import { may, type Role } from '../core/roles.ts';
import { announcePerson } from '../notices/announce.ts';
import { type AccessChange, isLastAdmin } from './manage-people.ts';
import { type Approver, findApprover } from './reads.ts';
import { type AccountWait, type ConfirmationBasis, isFounder } from './rules/person.ts';
import type { ConfirmRefusal, RolesRefusal } from './text.ts';
import { findDoubts, insertConfirmation } from './writes/confirmations.ts';
import { changePeople, deleteSessions, listStoredPeople, type StoredPerson, updatePerson } from './writes/people.ts';
import { withdrawLinks } from './writes/set-up-links.ts';

/** The roles a second person decides on, as the page showed them. */
export interface RolesDecision {
  /** Id of the second person. */
  actorId: string;
  personId: string;
  roles: readonly Role[];
}

export type RolesDecided = { ok: true } | { ok: false; reason: RolesRefusal };

/**
 * Gives a person the roles an admin requested. The second person is neither that admin nor the person, and both accounts count as two people. The
 * person is signed out everywhere and waits before their account counts, unless they are one of the first two with the role finance.
 */
export async function approveRoles(db: Db, decision: RolesDecision, wait: AccountWait): Promise<RolesDecided> {
  return await decide(db, decision, 'approval of roles', async ({ trx, person, people, request, admin, actor, approver }) => {
    if (actor.id === request.by || actor.id === person.id) return { ok: false, reason: 'same_person' };
    if (!may(approver.roles, 'refunds.approve')) return { ok: false, reason: 'not_allowed' };
    const reason = approverRefusalOf(approver.accounts);
    if (reason !== null) return { ok: false, reason };
    if (!may(request.roles, 'people.manage') && isLastAdmin(people, person.id)) return { ok: false, reason: 'last_admin' };
    await giveRoles(trx, { person, people, roles: request.roles, actorId: actor.id }, wait);
    const detail = { before: person.roles, after: request.roles, asked_by: admin };
    await recordAudit(trx, { actor: actor.email, act: 'approved roles', subject: person.email, detail });
    return { ok: true };
  });
}

/** Gives a person roles that two people agreed on: signs them out and lets the account wait, unless they are one of the first two with the role finance. */
async function giveRoles(
  trx: Db,
  { person, people, roles, actorId }: { person: StoredPerson; people: StoredPerson[]; roles: Role[]; actorId: string | null },
  { accountWait_hours }: AccountWait,
): Promise<void> {
  const countsAfter_hours = isFounder(person, roles, people) ? 0 : accountWait_hours;
  await updatePerson(trx, person.id, { roles, request: null, countsAfter_hours });
  await deleteSessions(trx, person.id);
  await announcePerson(trx, { kind: 'roles_changed', actorId, person, roles });
}

/** Ends a request for roles: the admin who made it withdraws it, someone who may approve and whose account counts rejects it. */
export async function declineRoles(db: Db, decision: RolesDecision): Promise<RolesDecided> {
  return await decide(db, decision, 'rejection of roles', async ({ trx, person, request, admin, actor, approver }) => {
    const isOwn = actor.id === request.by && may(approver.roles, 'people.manage');
    if (!isOwn && !may(approver.roles, 'refunds.approve')) return { ok: false, reason: 'not_allowed' };
    const reason = isOwn ? null : accountRefusalOf(approver.accounts.own);
    if (reason !== null) return { ok: false, reason };
    await updatePerson(trx, person.id, { request: null });
    const detail = { declined: request.roles, asked_by: admin };
    await recordAudit(trx, { actor: actor.email, act: 'declined roles', subject: person.email, detail });
    return { ok: true };
  });
}

interface DecisionContext {
  trx: Db;
  person: StoredPerson;
  people: StoredPerson[];
  request: { roles: Role[]; by: string };
  /** Email of the admin who requested it. */
  admin: string;
  actor: StoredPerson;
  /** The rights of the actor now. */
  approver: Approver;
}

// One change to people at a time, each on what is stored then.
async function decide(
  db: Db,
  { actorId, personId, roles }: RolesDecision,
  what: string,
  act: (context: DecisionContext) => Promise<RolesDecided>,
): Promise<RolesDecided> {
  return await changePeople<RolesDecided>(db, async (trx) => {
    const people = await listStoredPeople(trx);
    const [person, actor] = [personId, actorId].map((id) => people.find((each) => each.id === id));
    if (!actor) return { ok: false, reason: 'not_allowed' };
    const refuse = async (answer: RolesDecided): Promise<RolesDecided> =>
      await auditRefusal(trx, { actor, what, subject: person?.email ?? '' }, answer);
    if (actor.isDisabled) return await refuse({ ok: false, reason: 'not_allowed' });
    const request = person?.request ?? null;
    if (!person || request === null || request.roles.join() !== roles.join()) return { ok: false, reason: 'moved_on' };
    const approver = await findApprover(trx, actorId, request.by);
    if (approver === null) return { ok: false, reason: 'not_allowed' };
    const admin = people.find(({ id }) => id === request.by)?.email ?? request.by;
    return await refuse(await act({ trx, person, people, request, admin, actor, approver }));
  });
}

export type PersonConfirmed =
  | { ok: true /** Two stand behind the account now. */; isConfirmed: boolean }
  | { ok: false; reason: ConfirmRefusal };

/**
 * Puts a confirmed person with the role finance or admin behind the account of another one whom they know. The account is confirmed once two stand behind
 * it and nothing made it doubtful since. Their open password links end: anyone who has one could take over an account that counts.
 */
export async function confirmPerson(
  db: Db,
  { actorId, personId, version }: AccessChange & { /** As the person saw the account. */ version: string },
): Promise<PersonConfirmed> {
  return await changePeople<PersonConfirmed>(db, async (trx) => {
    const people = await listStoredPeople(trx);
    const [actor, person] = [actorId, personId].map((id) => people.find((each) => each.id === id));
    if (!actor) return { ok: false, reason: 'not_allowed' };
    const refuse = async (reason: Extract<PersonConfirmed, { ok: false }>['reason']): Promise<PersonConfirmed> =>
      await auditRefusal(trx, { actor, what: 'confirmation of an account', subject: person?.email ?? '' }, { ok: false, reason });
    const hasRight = may(actor.roles, 'people.manage') || may(actor.roles, 'refunds.approve');
    if (actor.isDisabled || !hasRight) return await refuse('not_allowed');
    const refusal = accountRefusalOf(actor.status);
    if (refusal !== null) return await refuse(refusal);
    if (!person || person.isDisabled) return { ok: false, reason: 'unknown_person' };
    if (person.id === actor.id) return await refuse('same_person');
    if (!person.hasPassword) return { ok: false, reason: 'no_password' };
    if (person.confirmationVersion !== version) return { ok: false, reason: 'moved_on' };
    if (!(await confirm(trx, person.id, actor.id))) return await refuse('own_doubt');
    const isConfirmed = await readsConfirmed(trx, person.id);
    await recordAudit(trx, {
      actor: actor.email,
      act: 'confirmed an account',
      subject: person.email,
      detail: { counts: isConfirmed ? 'yes, two stand behind it' : 'no, one more is needed' },
    });
    await announcePerson(trx, { kind: 'person_confirmed', actorId: actor.id, person });
    return { ok: true, isConfirmed };
  });
}

export type OperatorConfirmed =
  | {
      ok: true;
      email: string;
      name: string;
      /** Two stand behind the account now. */
      isConfirmed: boolean;
      /** When the password was set that the person must know of, and what made the account doubtful until now, oldest first. */
      passwordSetAt: string;
      doubts: { basis: ConfirmationBasis; by: string | null }[];
      /** Roles an admin had requested, given with the operator as the second of two; empty: none waited. */
      rolesGiven: Role[];
    }
  | { ok: false; reason: Extract<ConfirmRefusal, 'unknown_person' | 'no_password' | 'already_so'> };

/**
 * Puts the operator behind the account of a person, by email, and makes the operator the second of two for the roles that an admin requested for them. An admin
 * whose account doesn't count has requested nothing that can be given.
 */
export async function confirmAsOperator(db: Db, email: string, wait: AccountWait): Promise<OperatorConfirmed> {
  return await changePeople<OperatorConfirmed>(db, async (trx) => {
    const people = await listStoredPeople(trx);
    const person = people.find((each) => each.email === email.trim().toLowerCase());
    if (person === undefined || person.isDisabled) return { ok: false, reason: 'unknown_person' };
    if (!person.hasPassword) return { ok: false, reason: 'no_password' };
    const { passwordSetAt, doubts } = await findDoubts(trx, person.id);
    const isNew = await confirm(trx, person.id, null);
    // Read again: this confirmation may be what makes the requesting admin's account count.
    const admin = (await listStoredPeople(trx)).find(({ id }) => id === person.request?.by);
    const isLosingAdmin = person.request !== null && !may(person.request.roles, 'people.manage') && isLastAdmin(people, person.id);
    const roles = person.request !== null && admin?.status === 'counts' && !isLosingAdmin ? person.request.roles : null;
    if (!isNew && roles === null) return { ok: false, reason: 'already_so' };
    if (roles !== null) await giveRoles(trx, { person, people, roles, actorId: null }, wait);
    const isConfirmed = await readsConfirmed(trx, person.id);
    await recordAudit(trx, {
      actor: 'command line',
      act: 'confirmed an account',
      subject: person.email,
      detail: {
        counts: isConfirmed ? 'yes, two stand behind it' : 'no, one more is needed',
        ...(roles === null ? {} : { before: person.roles, after: roles, asked_by: admin?.email }),
      },
    });
    await announcePerson(trx, { kind: 'person_confirmed', actorId: null, person });
    return { ok: true, email: person.email, name: person.name, isConfirmed, passwordSetAt, doubts, rolesGiven: roles ?? [] };
  });
}

/** Adds a person who confirms an account and ends its open links. False: they confirmed it already. */
async function confirm(trx: Db, personId: string, by: string | null): Promise<boolean> {
  if (!(await insertConfirmation(trx, { personId, by, basis: 'confirmation' }))) return false;
  await withdrawLinks(trx, personId);
  return true;
}

async function readsConfirmed(trx: Db, personId: string): Promise<boolean> {
  return (await listStoredPeople(trx)).some(({ id, isConfirmed }) => id === personId && isConfirmed);
}
