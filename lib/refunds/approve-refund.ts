import { isDeepStrictEqual } from 'node:util';
import { findAccountRefusal, findApprover } from '#lib/people/reads.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import { type AccountRefusal, type ApproverRefusal, decideApproval, decideDecline, overLimitOf } from '../approvals/rules/approval.ts';
import { type Actor, may } from '../core/roles.ts';
import { parseTypedText, WHY_LENGTH_MAX } from '../core/typed-input.ts';
import type { GameContext, InvoFailure } from '../games/game-context.ts';
import type { OpenGame } from '../games/open-game.ts';
import { renewContent } from './content-digest.ts';
import { digestBaseline, type RefundFactsReader, readFreshFacts } from './read-refund-facts.ts';
import { findRefundToApprove, type RefundToApprove } from './reads/find-refund.ts';
import { findPersonLimits } from './reads/refund-preconditions.ts';
import { auditSubjectOf } from './rules/audit-actions.ts';
import { renewEstimate, riskKey, riskOf } from './rules/estimate.ts';
import { limitedAmountsOf } from './rules/limits.ts';
import type { PeriodFacts, RefundEstimate } from './rules/stored.ts';
import { recordApproval, recordAssignee, recordDecline, recordWithdrawal, refreshWaiting } from './writes/refund-requests.ts';

/** What the approver saw: its digest, and the risk they confirmed. */
export interface Approval {
  contentDigest: string;
  /** As `riskKey` names it; null: nothing was confirmed. */
  confirmedRisk: string | null;
}

export type ApprovalResult =
  | { ok: true }
  | { ok: false; reason: 'not_allowed' | 'own_request' | ApproverRefusal | 'moved_on' | 'changed' | 'impossible' | 'risk' }
  | ({ ok: false; reason: 'no_answer' } & InvoFailure);

/**
 * Approves a refund that awaits approval, bound to the content the person saw. The requester may approve their own only within their limit,
 * for example to confirm changed facts. Period and wallet are read again first: when they differ, the refund gets the new facts and is not
 * approved. When Invo can't be read, nothing is approved.
 */
export async function approveRefund(
  context: GameContext,
  actor: Actor,
  refundId: number,
  approval: Approval,
  read: RefundFactsReader = readFreshFacts,
): Promise<ApprovalResult> {
  const { db, gameId } = context.game;
  const attempt = { actor, gameId, what: 'approval of this refund', subject: auditSubjectOf(refundId) };
  return await auditRefusal(db, attempt, await approve(context, actor, refundId, approval, read));
}

async function approve(
  context: GameContext,
  actor: Actor,
  refundId: number,
  approval: Approval,
  read: RefundFactsReader,
): Promise<ApprovalResult> {
  const { game } = context;
  const { contentDigest, confirmedRisk } = approval;
  const waiting = await findRefundToApprove(game.db, game.gameId, refundId);
  if (waiting === null) return { ok: false, reason: 'moved_on' };
  const decision = await decide(game, actor.id, waiting, contentDigest);
  if (!decision.ok) return decision;
  const risk = riskKey(riskOf(waiting.facts.period, waiting.estimate));
  if (risk !== null && confirmedRisk !== risk) return { ok: false, reason: 'risk' };
  const facts = await read(context, waiting.period_id);
  if ('sentence' in facts) return { ok: false, reason: 'no_answer', ...facts };
  const fresh = renewEstimate(facts, waiting.amount_usd, { now: game.now(), timeZone: game.timeZone });
  const isAsShown =
    fresh !== null &&
    isSamePeriod(waiting, facts.period) &&
    riskKey(riskOf(facts.period, fresh.estimate)) === risk &&
    isSameEffect(waiting, fresh.estimate);
  if (!isAsShown) {
    const renewed = fresh === null ? null : renewContent(waiting.content, fresh);
    await refreshWaiting(game.db, { gameId: game.gameId, refundId, actor, contentDigest, period: facts.period, renewed });
    return { ok: false, reason: fresh === null ? 'impossible' : 'changed' };
  }
  const isApproved = await recordApproval(game.db, { gameId: game.gameId, refundId, actor, contentDigest, approval: decision.approval });
  if (isApproved) return { ok: true };
  // What was read before the call to Invo no longer held when the approval was stored.
  const now = await decide(game, actor.id, waiting, contentDigest);
  return now.ok ? { ok: false, reason: 'changed' } : now;
}

/** Whether the person may approve what they were shown, by the roles, the limits and the age of the account stored now. */
async function decide(
  game: OpenGame,
  actorId: string,
  waiting: RefundToApprove,
  shownDigest: string,
): Promise<ReturnType<typeof decideApproval>> {
  const { gameId, db } = game;
  const approver = await findApprover(db, actorId, waiting.requested_by);
  if (approver === null) return { ok: false, reason: 'not_allowed' };
  const limits = await findPersonLimits(db, { gameId, personId: actorId, refundId: waiting.refundId });
  const exceedsLimit = overLimitOf('refunds', approver.roles, limitedAmountsOf(waiting.estimate), limits) !== null;
  const { requested_by: preparedBy, contentDigest, needsSecondApprover: needsSecondPerson } = waiting;
  const request = { preparedBy, contentDigest, needsSecondPerson };
  return decideApproval(request, { id: actorId, ...approver, ...RIGHTS }, { shownDigest, exceedsLimit });
}

export type DeclineResult =
  | { ok: true }
  | { ok: false; reason: 'not_allowed' | AccountRefusal | 'moved_on' | 'why_missing' | 'why_too_long' };

/**
 * Withdraws or rejects a refund. While it awaits approval, the requester withdraws it and an approver rejects it with a reason. Once approved
 * and never sent, anyone who may request refunds can withdraw it.
 */
export async function declineRefund(game: OpenGame, actor: Actor, refundId: number, why: string): Promise<DeclineResult> {
  const attempt = { actor, gameId: game.gameId, what: 'rejection of this refund', subject: auditSubjectOf(refundId) };
  return await auditRefusal(game.db, attempt, await decline(game, actor, refundId, why));
}

async function decline(game: OpenGame, actor: Actor, refundId: number, why: string): Promise<DeclineResult> {
  const typed = parseTypedText(why, WHY_LENGTH_MAX);
  if (typed === 'too_long') return { ok: false, reason: 'why_too_long' };
  const declined = { gameId: game.gameId, refundId, actor, why: typed.text ?? '' };
  const waiting = await findRefundToApprove(game.db, game.gameId, refundId);
  if (waiting === null) {
    if (!may(actor.roles, 'refunds.request')) return { ok: false, reason: 'not_allowed' };
    if (await recordWithdrawal(game.db, declined)) return { ok: true };
    return { ok: false, reason: (await findAccountRefusal(game.db, actor.id, RIGHTS.prepare)) ?? 'moved_on' };
  }
  const decide = async (): Promise<ReturnType<typeof decideDecline>> => {
    const approver = await findApprover(game.db, actor.id, waiting.requested_by);
    if (approver === null) return { ok: false, reason: 'not_allowed' };
    return decideDecline({ preparedBy: waiting.requested_by }, { id: actor.id, ...approver, ...RIGHTS }, declined.why);
  };
  const decision = await decide();
  if (!decision.ok) return decision;
  if ((await recordDecline(game.db, declined)) !== null) return { ok: true };
  // What was read before no longer held when the decision was stored.
  const now = await decide();
  return now.ok ? { ok: false, reason: 'moved_on' } : now;
}

/** Makes the person the assignee of a refund. */
export async function assignRefund(game: OpenGame, actor: Actor, refundId: number): Promise<DeclineResult> {
  if (!may(actor.roles, 'refunds.request')) return { ok: false, reason: 'not_allowed' };
  return (await recordAssignee(game.db, { gameId: game.gameId, refundId, actor })) ? { ok: true } : { ok: false, reason: 'moved_on' };
}

const RIGHTS = { prepare: 'refunds.request', approve: 'refunds.approve' } as const;

function isSamePeriod(waiting: RefundToApprove, period: PeriodFacts): boolean {
  return digestBaseline(waiting.facts.period).equals(digestBaseline(period));
}

/** Whether the recipient's loss and the player's access are as shown. Access that is unknown now doesn't void what was shown. */
function isSameEffect({ estimate: shown }: RefundToApprove, fresh: RefundEstimate): boolean {
  const isSameAccess = fresh.access === null || isDeepStrictEqual(shown.access, fresh.access);
  return isSameAccess && isDeepStrictEqual(shown.recipient, fresh.recipient);
}
