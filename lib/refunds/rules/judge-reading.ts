import { CLOCKS_APART_MS, toMicroseconds } from '#lib/core/instant.ts';
import { compareMoney } from '#lib/core/money.ts';
import { listNewRefunds, type PeriodFacts, type PeriodRefund } from './period-facts.ts';
import { SETTLES_AFTER_MS } from './retry-schedule.ts';

/** What reading the period says about a refund whose outcome is not known. It only ever proposes; people decide. */
export type Judgement =
  | { kind: 'landed'; refund: PeriodRefund }
  | { kind: 'not_landed' }
  /** Nothing new yet, and the last call is too young for that to prove anything. */
  | { kind: 'too_early'; lookAt: number }
  | { kind: 'unclear' };

/**
 * Compares the period with what it was before the first attempt. Landed: exactly one new refund, of this amount, within the time of the
 * attempts (a quarter of an hour either way), that no other refund of ours accounts for. Not landed: nothing changed, read half an hour
 * after the last attempt or later. Milliseconds since 1970; `claimed` are transaction ids of other refunds of ours.
 */
export function judgeReading(
  asked: { amount_usd: string; firstSentAt: number; lastSentAt: number; before: PeriodFacts; claimed: readonly string[] },
  read: { period: PeriodFacts; at: number },
): Judgement {
  const fresh = listNewRefunds(asked.before, read.period).filter(
    (event) => event.refund_transaction_id === null || !asked.claimed.includes(event.refund_transaction_id),
  );
  const [first, ...others] = fresh;
  if (first === undefined) {
    if (compareMoney(asked.before.refunded_to_date_usd, read.period.refunded_to_date_usd) !== 0) return { kind: 'unclear' };
    if (asked.before.status !== read.period.status) return { kind: 'unclear' };
    const settled = asked.lastSentAt + SETTLES_AFTER_MS;
    return read.at >= settled ? { kind: 'not_landed' } : { kind: 'too_early', lookAt: settled };
  }
  const at = Number(toMicroseconds(first.refunded_at) / 1000n);
  const isOurs =
    others.length === 0 &&
    compareMoney(first.refunded_amount_usd, asked.amount_usd) === 0 &&
    at >= asked.firstSentAt - CLOCKS_APART_MS &&
    at <= asked.lastSentAt + CLOCKS_APART_MS;
  return isOurs ? { kind: 'landed', refund: first } : { kind: 'unclear' };
}
