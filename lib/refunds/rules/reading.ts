import { CLOCKS_APART_MS, toMicroseconds } from '#lib/core/instant.ts';
import { compareMoney, subtractMoney } from '#lib/core/money.ts';
import { SETTLES_AFTER_MS } from './next-step.ts';
import { listNewRefunds } from './period.ts';
import type { PeriodFacts, PeriodRefund } from './stored.ts';

/** What a reading of the period suggests about a refund with an unknown outcome. It only proposes; people decide. */
export type Judgement =
  | { kind: 'landed'; refund: PeriodRefund }
  /** The refunded amount rose by exactly this amount, and Invo states it without listing refunds (basis `period_row`). */
  | { kind: 'risen' }
  | { kind: 'not_landed' }
  /** Nothing new yet, and the last call is too recent for that to prove anything. */
  | { kind: 'too_early'; checkAt: number }
  | { kind: 'unclear' };

/**
 * Compares the period with its facts before the first attempt. Landed: exactly one new refund of this amount, within fifteen minutes of
 * the attempts, that belongs to no other refund of ours. Risen: the sum alone shows one, thirty minutes later. Not landed: nothing changed, read at least
 * thirty minutes after the last attempt. Instants are milliseconds since 1970; `claimed` holds the transaction ids of our other refunds.
 */
export function judgeReading(
  request: { amount_usd: string; firstSentAt: number; lastSentAt: number; before: PeriodFacts; claimed: readonly string[] },
  read: { period: PeriodFacts; at: number },
): Judgement {
  const fresh = listNewRefunds(request.before, read.period).filter(
    (event) => event.refund_transaction_id === null || !request.claimed.includes(event.refund_transaction_id),
  );
  const [first, ...others] = fresh;
  if (first === undefined) {
    const settled = request.lastSentAt + SETTLES_AFTER_MS;
    // The refund may be listed soon, with all its figures.
    if (hasRisenBy(request.amount_usd, request.before, read.period))
      return read.at >= settled ? { kind: 'risen' } : { kind: 'too_early', checkAt: settled };
    if (compareMoney(request.before.refunded_to_date_usd, read.period.refunded_to_date_usd) !== 0) return { kind: 'unclear' };
    if (request.before.status !== read.period.status) return { kind: 'unclear' };
    return read.at >= settled ? { kind: 'not_landed' } : { kind: 'too_early', checkAt: settled };
  }
  const refunded_at_ms = Number(toMicroseconds(first.refunded_at) / 1000n);
  const isOurs =
    others.length === 0 &&
    compareMoney(first.refunded_amount_usd, request.amount_usd) === 0 &&
    refunded_at_ms >= request.firstSentAt - CLOCKS_APART_MS &&
    refunded_at_ms <= request.lastSentAt + CLOCKS_APART_MS;
  return isOurs ? { kind: 'landed', refund: first } : { kind: 'unclear' };
}

/** Whether the period lists no refund and its refunded amount has risen by exactly this much. */
export function hasRisenBy(amount_usd: string, before: PeriodFacts, now: PeriodFacts): boolean {
  return (
    now.refund_basis === 'period_row' &&
    now.events.length === 0 &&
    now.refunds_told &&
    compareMoney(subtractMoney(now.refunded_to_date_usd, before.refunded_to_date_usd), amount_usd) === 0
  );
}
