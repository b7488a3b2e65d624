import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import { accountRefusalOf, approverRefusalOf } from '../approvals/rules/approval.ts';
import { may, type Role } from '../core/roles.ts';
import { announcePerson } from '../notices/announce.ts';
import { type AccountWait, isLastAdmin } from './manage-people.ts';
import { type Approver, findApprover } from './reads.ts';
import { isFounder } from './rules/person.ts';
import type { RolesRefusal } from './text.ts';
import {
  changePeople,
  deleteSessions,
  listStoredPeople,
  type PeopleTransaction,
  type StoredPerson,
  updatePerson,
} from './writes/people.ts';

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
export async function giveRoles(
  trx: PeopleTransaction,
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
  trx: PeopleTransaction;
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
