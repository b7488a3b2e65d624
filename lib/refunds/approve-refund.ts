import { isDeepStrictEqual } from 'node:util';
import { findRefundLimits } from '#db/refunds/reads/find-refund-limits.ts';
import { findRefundToApprove, type RefundToApprove } from '#db/refunds/reads/find-refund-to-approve.ts';
import { recordApproval, renewWaiting } from '#db/refunds/writes/decide-refund.ts';
import { may } from '../core/roles.ts';
import type { GameContext, InvoFailure } from '../games/game-context.ts';
import type { Actor } from '../people/rules/person.ts';
import { type RefundFactsReader, readFreshFacts } from './read-fresh-facts.ts';
import { type RefundEstimate, walletRiskOf } from './rules/estimate-refund.ts';
import { digestBaseline, type PeriodFacts } from './rules/period-facts.ts';
import { limitedAmountOf, wantsSecondPerson } from './rules/refund-limits.ts';
import { renewEstimate } from './rules/renew-estimate.ts';

/** What the person saw: the digest of it, and what they confirmed about the wallet. */
export interface Approval {
  contentDigest: string;
  /** As `walletRiskOf` names it; null: nothing was confirmed. */
  confirmedWallet: string | null;
}

export type Approved =
  | { ok: true }
  | { ok: false; reason: 'not_allowed' | 'own_request' | 'moved_on' | 'changed' | 'impossible' | 'wallet' }
  | ({ ok: false; reason: 'no_answer' } & InvoFailure);

/**
 * Approves a refund that waits, bound to the content the person saw. Somebody else's needs the right to approve; the own one only where
 * the limit of the requester needs no second person (its facts had changed, and are confirmed anew). Period and wallet are read again
 * first: when either is another, the refund gets the new facts and is not approved. Where Invo cannot be asked, nothing is approved.
 */
export async function approveRefund(
  desk: GameContext,
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
    wantsSecondPerson(actor.role, limitedAmountOf(waiting.estimate), await findRefundLimits(game.db, game.gameId));
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
    await renewWaiting(game.pool, { gameId: game.gameId, refundId, actor, contentDigest, period: facts.period, renewed: fresh });
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
