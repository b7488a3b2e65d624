import { formatInstant } from '../instant.ts';
import { formatUsd, parseUsd } from '../money.ts';
import { refundHistory } from '../report/refund-history.ts';
import { readClock, type State } from '../state/state.ts';
import type { Json } from '../wire/json.ts';
import { Refusal } from '../wire/refusal.ts';
import { isSettled } from '../wire/renewal-line.ts';
import { environmentOf } from './environment-of.ts';

/** Makes a refund that the next report shows, under the refund rules of the contract: no more than what is left of a paid period. */
export function controlRefund(state: State, fields: Json): Json {
  const environment = environmentOf(fields);
  const book = state.book(environment);
  const period = book.period(Number(fields['period_id']));
  if (period === null) throw new Refusal(404, 'PERIOD_NOT_FOUND', 'No such period in this game.');
  if (!isSettled(book, period)) throw new Refusal(409, 'PERIOD_NOT_REFUNDABLE', 'The period was never collected.');
  const atMs = fields['refunded_at'] === undefined ? state.nowMs() : readClock(String(fields['refunded_at']));
  const made = [...period.refunds, ...state.refundStore(environment).refundsOf(period.id)];
  const refunded = refundHistory(period, made, Math.max(state.nowMs(), atMs)).refundedToDate;
  const remaining = period.amount - refunded;
  if (remaining === 0n)
    throw new Refusal(409, 'ALREADY_REFUNDED', 'Nothing is left to refund.', {
      refunded_amount_usd: formatUsd(refunded),
      amount_usd: formatUsd(period.amount),
    });
  const amount = fields['amount_usd'] === undefined ? remaining : parseUsd(String(fields['amount_usd']));
  if (amount === null || amount === 0n) throw new Refusal(400, 'INVALID_AMOUNT', 'amount_usd must be a decimal string above zero.');
  if (amount > remaining)
    throw new Refusal(400, 'AMOUNT_EXCEEDS_REMAINING', 'More than what is left.', {
      remaining_refundable_usd: formatUsd(remaining),
      already_refunded_usd: formatUsd(refunded),
    });
  const basis = fields['basis'] === 'period_row' ? 'period_row' : 'refund_receipts';
  state.addRefund(environment, { periodId: period.id, atMs, amount, basis, partnerBasis: 'clawback' });
  return {
    period_id: period.id,
    refunded_at: formatInstant(atMs),
    refunded_amount_usd: formatUsd(amount),
    remaining_refundable_usd: formatUsd(remaining - amount),
    basis,
  };
}
