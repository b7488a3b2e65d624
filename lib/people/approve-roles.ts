import { recordAudit } from '#db/audit/writes.ts';
import type { Db } from '#db/kit/open.ts';
import { type Approver, findApprover } from '#db/people/reads.ts';
import {
  changePeople,
  deleteSessions,
  listStoredPeople,
  type PeopleTransaction,
  type StoredPerson,
  updatePerson,
} from '#db/people/writes.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import { standingRefusalOf } from '../approvals/rules/approval.ts';
import { may, type Role } from '../core/roles.ts';
import type { ApproverWait } from './manage-people.ts';
import type { RolesRefusal } from './text.ts';

/** The roles a second person decides on, as the page showed them. */
export interface RolesDecision {
  /** Id of the second person. */
  actorId: string;
  personId: string;
  roles: readonly Role[];
}

export type RolesDecided = { ok: true } | { ok: false; reason: RolesRefusal };

/**
 * Gives a person the roles an admin asked for. The second person is neither that admin nor the person, and has had the right to approve for
 * long enough. The person is signed out everywhere and waits before they approve themselves.
 */
export async function approveRoles(db: Db, decision: RolesDecision, { approverWait_hours }: ApproverWait): Promise<RolesDecided> {
  return await decide(db, decision, async ({ trx, person, request, admin, actor, approver }) => {
    const refuse = async (reason: RolesRefusal): Promise<RolesDecided> =>
      await auditRefusal(trx, { actor, what: 'approval of roles', subject: person.email }, { ok: false, reason });
    if (actor.id === request.by || actor.id === person.id) return await refuse('same_person');
    if (!may(approver.roles, 'refunds.approve')) return await refuse('not_allowed');
    const refusal = standingRefusalOf(approver.standing);
    if (refusal !== null) return await refuse(refusal);
    await updatePerson(trx, person.id, { roles: request.roles, request: null, approvesAfter_hours: approverWait_hours });
    await deleteSessions(trx, person.id);
    await recordAudit(trx, {
      actor: actor.email,
      act: 'approved roles',
      subject: person.email,
      detail: { before: person.roles, after: request.roles, asked_by: admin },
    });
    return { ok: true };
  });
}

/** Ends a request for roles: the admin who made it withdraws it, someone who may approve rejects it. */
export async function declineRoles(db: Db, decision: RolesDecision): Promise<RolesDecided> {
  return await decide(db, decision, async ({ trx, person, request, admin, actor, approver }) => {
    const mayDecline = may(approver.roles, 'refunds.approve') || (actor.id === request.by && may(approver.roles, 'people.manage'));
    if (!mayDecline) return { ok: false, reason: 'not_allowed' };
    await updatePerson(trx, person.id, { request: null });
    await recordAudit(trx, {
      actor: actor.email,
      act: 'declined roles',
      subject: person.email,
      detail: { declined: request.roles, asked_by: admin },
    });
    return { ok: true };
  });
}

interface DecisionContext {
  trx: PeopleTransaction;
  person: StoredPerson;
  request: { roles: Role[]; by: string };
  /** Email of the admin who asked. */
  admin: string;
  actor: StoredPerson;
  /** The rights of the actor now. */
  approver: Approver;
}

// One change to people at a time, each on what is stored then.
async function decide(
  db: Db,
  { actorId, personId, roles }: RolesDecision,
  act: (context: DecisionContext) => Promise<RolesDecided>,
): Promise<RolesDecided> {
  return await changePeople<RolesDecided>(db, async (trx) => {
    const people = await listStoredPeople(trx);
    const [person, actor] = [personId, actorId].map((id) => people.find((each) => each.id === id));
    if (!actor || actor.isDisabled) return { ok: false, reason: 'not_allowed' };
    const request = person?.request ?? null;
    if (!person || request === null || request.roles.join() !== roles.join()) return { ok: false, reason: 'moved_on' };
    const approver = await findApprover(trx, actorId, request.by);
    if (approver === null) return { ok: false, reason: 'not_allowed' };
    const admin = people.find(({ id }) => id === request.by)?.email ?? request.by;
    return await act({ trx, person, request, admin, actor, approver });
  });
}
