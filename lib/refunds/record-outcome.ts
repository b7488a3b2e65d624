import { findAccountRefusal, findApproverRefusal } from '#lib/people/reads.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import type { ApproverRefusal } from '../approvals/rules/approval.ts';
import { type Actor, may } from '../core/roles.ts';
import { OUTCOME_LENGTH_MAX, parseTypedNote } from '../core/typed-input.ts';
import { askWithin, type GameContext, type InvoFailure, toInvoFailure } from '../games/game-context.ts';
import type { OpenGame } from '../games/open-game.ts';
import { readPeriodReport, reshapePeriodFacts } from '../invo/routes/period-report.ts';
import { findOpenOutcome, findRefund } from './reads/find-refund.ts';
import { auditSubjectOf } from './rules/audit-actions.ts';
import type { OutcomeDecision } from './rules/state.ts';
import { confirmDecision, discardDecision, insertDecision, recordReading } from './writes/refund-decisions.ts';

export type RereadResult =
  | { ok: true }
  | { ok: false; reason: 'not_allowed' | 'moved_on' }
  | ({ ok: false; reason: 'no_answer' } & InvoFailure);

/** Reads the period of a refund that needs attention and stores the reading; an outcome rests on the newest one. Sends nothing. */
export async function rereadPeriod(context: GameContext, actor: Actor, refundId: number): Promise<RereadResult> {
  const { game } = context;
  if (!may(actor.roles, 'refunds.request')) return { ok: false, reason: 'not_allowed' };
  const refund = await findRefund(game.db, game.gameId, refundId);
  if (refund?.state !== 'attention') return { ok: false, reason: 'moved_on' };
  try {
    const { value } = await askWithin(context, {}, (invo, signal) => readPeriodReport(invo, refund.period_id, signal));
    const isStored = await recordReading(game.db, { gameId: game.gameId, refundId, actor, facts: reshapePeriodFacts(value) });
    return isStored ? { ok: true } : { ok: false, reason: 'moved_on' };
  } catch (error) {
    return { ok: false, reason: 'no_answer', ...toInvoFailure(error) };
  }
}

export type OutcomeResult =
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
        | 'same_person'
        | ApproverRefusal;
    };

/** The first of two people records the outcome of a refund that needs attention, and why. */
export async function recordOutcome(
  game: OpenGame,
  actor: Actor,
  refundId: number,
  decision: OutcomeDecision,
  text: string,
): Promise<OutcomeResult> {
  const attempt = { actor, gameId: game.gameId, what: 'to record an outcome', subject: auditSubjectOf(refundId) };
  return await auditRefusal(game.db, attempt, await record(game, actor, refundId, decision, text));
}

async function record(game: OpenGame, actor: Actor, refundId: number, decision: OutcomeDecision, text: string): Promise<OutcomeResult> {
  const findRefusal = () => findAccountRefusal(game.db, actor.id, 'refunds.request');
  if (!may(actor.roles, 'refunds.request')) return { ok: false, reason: 'not_allowed' };
  const typed = parseTypedNote(text, OUTCOME_LENGTH_MAX);
  if (!typed.ok) return { ok: false, reason: `text_${typed.reason}` };
  const reason = await findRefusal();
  if (reason !== null) return { ok: false, reason };
  const refusal = await insertDecision(game.db, { gameId: game.gameId, refundId, actor, decision, text: typed.text });
  if (refusal === null) return { ok: true };
  // Nothing is stored for another outcome that waits, and for a right that ended since it was read.
  return { ok: false, reason: refusal === 'already_proposed' ? ((await findRefusal()) ?? refusal) : refusal };
}

/** A second person, who may approve refunds, confirms the recorded outcome, and the refund moves on. */
export async function confirmOutcome(game: OpenGame, actor: Actor, refundId: number, decisionNo: number): Promise<OutcomeResult> {
  const attempt = { actor, gameId: game.gameId, what: 'confirmation of the outcome', subject: auditSubjectOf(refundId) };
  return await auditRefusal(game.db, attempt, await confirm(game, actor, refundId, decisionNo));
}

async function confirm(game: OpenGame, actor: Actor, refundId: number, decisionNo: number): Promise<OutcomeResult> {
  if (!may(actor.roles, 'refunds.approve')) return { ok: false, reason: 'not_allowed' };
  const first = await findOpenOutcome(game.db, game.gameId, refundId);
  const findRefusal = async () =>
    first === null ? null : await findApproverRefusal(game.db, actor.id, { right: 'refunds.approve', preparerId: first.by.id });
  const reason = await findRefusal();
  if (reason !== null) return { ok: false, reason };
  const refusal = await confirmDecision(game.db, { gameId: game.gameId, refundId, actor, decisionNo });
  if (refusal === null) return { ok: true };
  return { ok: false, reason: refusal === 'not_allowed' ? ((await findRefusal()) ?? refusal) : refusal };
}

/** Discards a recorded outcome that is not confirmed. */
export async function discardOutcome(game: OpenGame, actor: Actor, refundId: number, decisionNo: number): Promise<OutcomeResult> {
  const attempt = { actor, gameId: game.gameId, what: 'to discard the outcome', subject: auditSubjectOf(refundId) };
  return await auditRefusal(game.db, attempt, await discard(game, actor, refundId, decisionNo));
}

async function discard(game: OpenGame, actor: Actor, refundId: number, decisionNo: number): Promise<OutcomeResult> {
  if (!may(actor.roles, 'refunds.request')) return { ok: false, reason: 'not_allowed' };
  if (await discardDecision(game.db, { gameId: game.gameId, refundId, actor, decisionNo })) return { ok: true };
  const first = await findOpenOutcome(game.db, game.gameId, refundId);
  const isOther = first !== null && first.decision_no === decisionNo && first.by.id !== actor.id;
  const refusal = isOther ? await findAccountRefusal(game.db, actor.id, 'refunds.request') : null;
  return { ok: false, reason: refusal ?? 'moved_on' };
}
