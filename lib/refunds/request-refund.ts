import { randomUUID } from 'node:crypto';
import { findDraft } from '#db/refunds/reads/find-draft.ts';
import { findRefundLimits } from '#db/refunds/reads/find-refund-limits.ts';
import { insertRefund } from '#db/refunds/writes/insert-refund.ts';
import { may } from '../core/roles.ts';
import { REASON_LENGTH_MAX, readWords } from '../core/typed-text.ts';
import type { GameContext, InvoFailure } from '../games/game-context.ts';
import type { Actor } from '../people/rules/person.ts';
import { type RefundFactsReader, readFreshFacts } from './read-fresh-facts.ts';
import { estimateRefund, walletRiskOf } from './rules/estimate-refund.ts';
import { type AmountTrouble, findRefundHindrance, type Hindrance, parseRefundAmount } from './rules/find-hindrance.ts';
import { digestBaseline, type PeriodFacts } from './rules/period-facts.ts';
import { limitedAmountOf, wantsSecondPerson } from './rules/refund-limits.ts';
import type { RefundReason } from './rules/refund-reasons.ts';
import { writeRefundRequest } from './rules/refund-request.ts';

/** The form as it was sent. `draftId` was made with it; `baseline` is the digest of the facts it showed. */
export interface RefundForm {
  draftId: string;
  periodId: number;
  amountText: string;
  reason_code: RefundReason;
  reason_text: string | null;
  baseline: string;
  /** What was confirmed about the wallet, as `walletRiskOf` names it; null: nothing. */
  confirmedWallet: string | null;
}

export type RefundRequested =
  | { ok: true; refundId: number; isNew: boolean }
  | { ok: false; reason: 'not_allowed' | 'reason_too_long' | 'changed' | 'wallet' }
  | { ok: false; reason: 'hindered'; hindrance: Hindrance }
  | { ok: false; reason: 'amount'; trouble: AmountTrouble; period: PeriodFacts }
  | { ok: false; reason: 'another_open'; refundId: number }
  | ({ ok: false; reason: 'no_answer' } & InvoFailure);

/**
 * Asks for a refund: reads the period again, checks it against what the form showed, and stores the intent with its key and its very
 * bytes. Nothing is sent here. A form sent twice makes one refund; a period with an open refund takes no second one. Where Invo cannot be
 * asked nothing is stored: without fresh facts no refund begins.
 */
export async function requestRefund(
  { game, config }: GameContext,
  actor: Actor,
  form: RefundForm,
  read: RefundFactsReader = readFreshFacts,
): Promise<RefundRequested> {
  if (!may(actor.role, 'refunds.request')) return { ok: false, reason: 'not_allowed' };
  const earlier = await findDraft(game.db, game.gameId, form);
  if (earlier !== null) return { ok: true, refundId: earlier, isNew: false };
  const said = readWords(form.reason_text, REASON_LENGTH_MAX);
  if (said === 'too_long') return { ok: false, reason: 'reason_too_long' };
  const facts = await read({ game, config }, form.periodId);
  if ('sentence' in facts) return { ok: false, reason: 'no_answer', ...facts };
  const { period } = facts;
  const hindrance = findRefundHindrance(period);
  if (hindrance !== null || period.period_seq === null) return { ok: false, reason: 'hindered', hindrance: hindrance ?? 'number_unknown' };
  if (digestBaseline(period).toString('hex') !== form.baseline) return { ok: false, reason: 'changed' };
  const amount = parseRefundAmount(form.amountText, period);
  if ('trouble' in amount) return { ok: false, reason: 'amount', trouble: amount.trouble, period };
  const estimate = estimateRefund(facts, amount.amount_usd, { now: game.now(), timeZone: game.timeZone });
  const risk = walletRiskOf(estimate);
  if (risk !== null && form.confirmedWallet !== risk) return { ok: false, reason: 'wallet' };
  const { subscription_id, period_id, period_seq } = period;
  const request = writeRefundRequest(
    { subscription_id, period_id, period_seq, ...amount, reason_code: form.reason_code, reason_text: said.words },
    { environment: config.environment, uuid: randomUUID(), facts, estimate },
  );
  const isPolicyEnough = !wantsSecondPerson(actor.role, limitedAmountOf(estimate), await findRefundLimits(game.db, game.gameId));
  const stored = await insertRefund(game.pool, game.gameId, { request, facts, estimate, draftId: form.draftId, actor, isPolicyEnough });
  return 'openRefundId' in stored
    ? { ok: false, reason: 'another_open', refundId: stored.openRefundId }
    : { ok: true, refundId: stored.refundId, isNew: stored.isNew };
}
