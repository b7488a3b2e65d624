import { isDeepStrictEqual } from 'node:util';
import { findRefundToApprove, type RefundToApprove } from '#db/refunds/reads/find-refund.ts';
import { findRefundLimits } from '#db/refunds/reads/refund-preconditions.ts';
import { confirmOutcome, dropOutcome, proposeOutcome } from '#db/refunds/writes/refund-decisions.ts';
import { recordApproval, recordOwner, recordRefusal, recordWithdrawal, renewWaiting } from '#db/refunds/writes/refund-requests.ts';
import { may } from '../core/roles.ts';
import { OUTCOME_LENGTH_MAX, readWords, WHY_LENGTH_MAX } from '../core/typed-text.ts';
import { type GameAtWork } from '../games/game.ts';
import { type Desk } from '../games/game-context.ts';
import { type Trouble } from '../games/trouble.ts';
import { type Actor } from '../people/actor.ts';
import { renewContent } from './content-digest.ts';
import { digestBaseline, type RefundFactsReader, readFreshFacts } from './read-refund-facts.ts';
import { type RefundEstimate, renewEstimate, walletRiskOf } from './rules/estimate.ts';
import { limitedAmountOf, needsSecondApprover } from './rules/limits.ts';
import { type PeriodFacts } from './rules/period.ts';
import { type OutcomeDecision } from './rules/state.ts';

/** What the person saw: the digest of it, and what they confirmed about the wallet. */
export interface Approval {
  contentDigest: string;
  /** As `walletRiskOf` names it; null: nothing was confirmed. */
  confirmedWallet: string | null;
}

export type Approved =
  | { ok: true }
  | { ok: false; reason: 'not_allowed' | 'own_request' | 'moved_on' | 'changed' | 'impossible' | 'wallet' }
  | ({ ok: false; reason: 'no_answer' } & Trouble);

/**
 * Approves a refund that waits, bound to the content the person saw. Somebody else's needs the right to approve; the own one only where
 * the limit of the requester needs no second person (its facts had changed, and are confirmed anew). Period and wallet are read again
 * first: when either is another, the refund gets the new facts and is not approved. Where Invo cannot be asked, nothing is approved.
 */
export async function approveRefund(
  desk: Desk,
  actor: Actor,
  refundId: number,
  { contentDigest, confirmedWallet }: Approval,
  read: RefundFactsReader = readFreshFacts,
): Promise<Approved> {
  const { game } = desk;
  const waiting = await findRefundToApprove(game.db, game.gameId, refundId);
  if (waiting === null) return { ok: false, reason: 'moved_on' };
  const isOwn = waiting.requested_by === actor.id;
  // What wanted a second person when it was asked for is not freed of it by another role or limit; its new facts may want one now.
  const isAbove = async (): Promise<boolean> =>
    needsSecondApprover(actor.role, limitedAmountOf(waiting.estimate), await findRefundLimits(game.db, game.gameId));
  if (isOwn && (waiting.wants_second_person || (await isAbove()))) return { ok: false, reason: 'own_request' };
  if (!may(actor.role, isOwn ? 'refunds.request' : 'refunds.approve')) return { ok: false, reason: 'not_allowed' };
  if (waiting.contentDigest !== contentDigest) return { ok: false, reason: 'changed' };
  const risk = walletRiskOf(waiting.estimate);
  if (risk !== null && confirmedWallet !== risk) return { ok: false, reason: 'wallet' };
  const facts = await read(desk, waiting.period_id);
  if ('sentence' in facts) return { ok: false, reason: 'no_answer', ...facts };
  const fresh = renewEstimate(facts, waiting.amount_usd, { now: game.now(), timeZone: game.timeZone });
  const isAsShown =
    fresh !== null && isSamePeriod(waiting, facts.period) && walletRiskOf(fresh.estimate) === risk && isSameEffect(waiting, fresh.estimate);
  if (!isAsShown) {
    const renewed = fresh === null ? null : renewContent(waiting.content, fresh);
    await renewWaiting(game.pool, { gameId: game.gameId, refundId, actor, contentDigest, period: facts.period, renewed });
    return { ok: false, reason: fresh === null ? 'impossible' : 'changed' };
  }
  const approval = isOwn ? 'policy' : 'person';
  const isApproved = await recordApproval(game.pool, { gameId: game.gameId, refundId, actor, contentDigest, approval });
  return isApproved ? { ok: true } : { ok: false, reason: 'changed' };
}

function isSamePeriod(waiting: RefundToApprove, period: PeriodFacts): boolean {
  return digestBaseline(waiting.facts.period).equals(digestBaseline(period));
}

/** Whether who loses what, and until when the player has access, is what was shown; access that cannot be told now takes nothing back. */
function isSameEffect({ estimate: shown }: RefundToApprove, fresh: RefundEstimate): boolean {
  const isSameAccess = fresh.access === null || isDeepStrictEqual(shown.access, fresh.access);
  return isSameAccess && isDeepStrictEqual(shown.recipient, fresh.recipient);
}

export type Decided = { ok: true } | { ok: false; reason: 'not_allowed' | 'moved_on' | 'why_missing' | 'why_too_long' };

/**
 * Says no. What waits for approval is withdrawn by whoever asked, or rejected, with a reason, by somebody who may approve; what is approved
 * and was never sent anybody who may ask for refunds withdraws.
 */
export async function declineRefund(game: GameAtWork, actor: Actor, refundId: number, why: string): Promise<Decided> {
  const said = readWords(why, WHY_LENGTH_MAX);
  if (said === 'too_long') return { ok: false, reason: 'why_too_long' };
  const decision = { gameId: game.gameId, refundId, actor, why: said.words ?? '' };
  const waiting = await findRefundToApprove(game.db, game.gameId, refundId);
  if (waiting === null) {
    if (!may(actor.role, 'refunds.request')) return { ok: false, reason: 'not_allowed' };
    return (await recordWithdrawal(game.pool, decision)) ? { ok: true } : { ok: false, reason: 'moved_on' };
  }
  const isOwn = waiting.requested_by === actor.id;
  if (!may(actor.role, isOwn ? 'refunds.request' : 'refunds.approve')) return { ok: false, reason: 'not_allowed' };
  if (!isOwn && decision.why === '') return { ok: false, reason: 'why_missing' };
  return (await recordRefusal(game.pool, decision)) === null ? { ok: false, reason: 'moved_on' } : { ok: true };
}

/** Makes the person the one who sees it through. */
export async function takeRefundOver(game: GameAtWork, actor: Actor, refundId: number): Promise<Decided> {
  if (!may(actor.role, 'refunds.request')) return { ok: false, reason: 'not_allowed' };
  return (await recordOwner(game.pool, { gameId: game.gameId, refundId, actor })) ? { ok: true } : { ok: false, reason: 'moved_on' };
}

export type Resolved =
  | { ok: true }
  | {
      ok: false;
      reason:
        | 'not_allowed'
        | 'text_missing'
        | 'text_too_long'
        | 'moved_on'
        | 'already_proposed'
        | 'reading_too_old'
        | 'too_late_to_send'
        | 'same_person';
    };

/** The first of two people says what became of a refund nobody can tell, and why. */
export async function proposeRefundOutcome(
  game: GameAtWork,
  actor: Actor,
  refundId: number,
  decision: OutcomeDecision,
  text: string,
): Promise<Resolved> {
  if (!may(actor.role, 'refunds.request')) return { ok: false, reason: 'not_allowed' };
  const said = readWords(text, OUTCOME_LENGTH_MAX);
  if (said === 'too_long') return { ok: false, reason: 'text_too_long' };
  if (said.words === null) return { ok: false, reason: 'text_missing' };
  const trouble = await proposeOutcome(game.pool, { gameId: game.gameId, refundId, actor, decision, text: said.words });
  return trouble === null ? { ok: true } : { ok: false, reason: trouble };
}

/** The second person, who may approve refunds, agrees. */
export async function confirmRefundOutcome(game: GameAtWork, actor: Actor, refundId: number, decisionNo: number): Promise<Resolved> {
  if (!may(actor.role, 'refunds.approve')) return { ok: false, reason: 'not_allowed' };
  const trouble = await confirmOutcome(game.pool, { gameId: game.gameId, refundId, actor, decisionNo });
  return trouble === null ? { ok: true } : { ok: false, reason: trouble };
}

/** Drops a statement that was not confirmed. */
export async function dropRefundOutcome(game: GameAtWork, actor: Actor, refundId: number, decisionNo: number): Promise<Resolved> {
  if (!may(actor.role, 'refunds.request')) return { ok: false, reason: 'not_allowed' };
  return (await dropOutcome(game.pool, { gameId: game.gameId, refundId, actor, decisionNo }))
    ? { ok: true }
    : { ok: false, reason: 'moved_on' };
}
