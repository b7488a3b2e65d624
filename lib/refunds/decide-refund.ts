import { findRefundToApprove } from '#db/refunds/reads/find-refund-to-approve.ts';
import { recordOwner, recordRefusal, recordWithdrawal } from '#db/refunds/writes/decide-refund.ts';
import { confirmOutcome, dropOutcome, proposeOutcome } from '#db/refunds/writes/resolve-refund.ts';
import { may } from '../core/roles.ts';
import { OUTCOME_LENGTH_MAX, readWords, WHY_LENGTH_MAX } from '../core/typed-text.ts';
import type { OpenGame } from '../games/open-game.ts';
import type { Actor } from '../people/rules/person.ts';
import type { OutcomeDecision } from './rules/refund-outcome.ts';

export type Decided = { ok: true } | { ok: false; reason: 'not_allowed' | 'moved_on' | 'why_missing' | 'why_too_long' };

/**
 * Says no. What waits for approval is withdrawn by whoever asked, or rejected, with a reason, by somebody who may approve; what is approved
 * and was never sent anybody who may ask for refunds withdraws.
 */
export async function declineRefund(game: OpenGame, actor: Actor, refundId: number, why: string): Promise<Decided> {
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
export async function takeRefundOver(game: OpenGame, actor: Actor, refundId: number): Promise<Decided> {
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
  game: OpenGame,
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
export async function confirmRefundOutcome(game: OpenGame, actor: Actor, refundId: number, decisionNo: number): Promise<Resolved> {
  if (!may(actor.role, 'refunds.approve')) return { ok: false, reason: 'not_allowed' };
  const trouble = await confirmOutcome(game.pool, { gameId: game.gameId, refundId, actor, decisionNo });
  return trouble === null ? { ok: true } : { ok: false, reason: trouble };
}

/** Drops a statement that was not confirmed. */
export async function dropRefundOutcome(game: OpenGame, actor: Actor, refundId: number, decisionNo: number): Promise<Resolved> {
  if (!may(actor.role, 'refunds.request')) return { ok: false, reason: 'not_allowed' };
  return (await dropOutcome(game.pool, { gameId: game.gameId, refundId, actor, decisionNo }))
    ? { ok: true }
    : { ok: false, reason: 'moved_on' };
}
