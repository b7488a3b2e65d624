import { randomUUID } from 'node:crypto';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import { type AccountRefusal, overLimitOf } from '../approvals/rules/approval.ts';
import { type Actor, may } from '../core/roles.ts';
import { parseTypedText, REASON_LENGTH_MAX, type TypedAmountError } from '../core/typed-input.ts';
import type { GameContext, InvoFailure } from '../games/game-context.ts';
import { writeRefundRequest } from './content-digest.ts';
import { digestBaseline, type RefundFactsReader, readFreshFacts } from './read-refund-facts.ts';
import { findDraft, findPersonLimits } from './reads/refund-preconditions.ts';
import { ALL_REFUNDS } from './rules/audit-actions.ts';
import { estimateRefund, riskKey, riskOf } from './rules/estimate.ts';
import { findRefundBlocker, limitedAmountsOf, parseRefundAmount, type RefundBlocker } from './rules/limits.ts';
import type { RefundForm } from './rules/refund.ts';
import type { PeriodFacts } from './rules/stored.ts';
import { insertRefund } from './writes/refund-requests.ts';

export type RequestResult =
  | { ok: true; refundId: number; isNew: boolean }
  | { ok: false; reason: 'not_allowed' | AccountRefusal | 'reason_too_long' | 'changed' | 'risk' }
  | { ok: false; reason: 'blocked'; blocker: RefundBlocker }
  | { ok: false; reason: 'amount'; error: TypedAmountError; period: PeriodFacts }
  | { ok: false; reason: 'another_open'; refundId: number }
  | ({ ok: false; reason: 'no_answer' } & InvoFailure);

const ATTEMPT = { what: 'to request a refund that needs a second person', subject: ALL_REFUNDS };

/**
 * Requests a refund: reads the period again, compares it with what the form showed, and stores the request with its key and its exact bytes.
 * Sends nothing. Role and limits are decided by the stored values at that moment. A form submitted twice creates one refund; a period with an open refund
 * accepts no second one. If Invo can't be read, nothing is stored: without fresh facts no refund starts.
 */
export async function requestRefund(
  { game, config }: GameContext,
  actor: Actor,
  form: RefundForm,
  read: RefundFactsReader = readFreshFacts,
): Promise<RequestResult> {
  const attempt = { ...ATTEMPT, actor, gameId: game.gameId };
  if (!may(actor.roles, 'refunds.request')) return await auditRefusal(game.db, attempt, { ok: false, reason: 'not_allowed' });
  const earlier = await findDraft(game.db, game.gameId, form);
  if (earlier !== null) return { ok: true, refundId: earlier, isNew: false };
  const typed = parseTypedText(form.reason_text, REASON_LENGTH_MAX);
  if (typed === 'too_long') return { ok: false, reason: 'reason_too_long' };
  const facts = await read({ game, config }, form.periodId);
  if ('sentence' in facts) return { ok: false, reason: 'no_answer', ...facts };
  const { period } = facts;
  const blocker = findRefundBlocker(period);
  if (blocker !== null || period.period_seq === null) return { ok: false, reason: 'blocked', blocker: blocker ?? 'number_unknown' };
  if (digestBaseline(period).toString('hex') !== form.baseline) return { ok: false, reason: 'changed' };
  const amount = parseRefundAmount(form.amountText, period);
  if ('error' in amount) return { ok: false, reason: 'amount', error: amount.error, period };
  const estimate = estimateRefund(facts, amount.amount_usd, { now: game.now(), timeZone: game.timeZone });
  const risk = riskKey(riskOf(period, estimate));
  if (risk !== null && form.confirmedRisk !== risk) return { ok: false, reason: 'risk' };
  const { subscription_id, period_id, period_seq } = period;
  const request = writeRefundRequest(
    { subscription_id, period_id, period_seq, ...amount, reason_code: form.reason_code, reason_text: typed.text },
    { environment: config.environment, uuid: randomUUID(), facts, estimate },
  );
  const limits = await findPersonLimits(game.db, { gameId: game.gameId, personId: actor.id });
  const isPolicyEnough = overLimitOf('refunds', actor.roles, limitedAmountsOf(estimate), limits) === null;
  const stored = await insertRefund(game.db, game.gameId, { request, facts, estimate, draftId: form.draftId, actor, isPolicyEnough });
  if (typeof stored === 'string') return await auditRefusal(game.db, attempt, { ok: false, reason: stored });
  return 'openRefundId' in stored
    ? { ok: false, reason: 'another_open', refundId: stored.openRefundId }
    : { ok: true, refundId: stored.refundId, isNew: stored.isNew };
}
