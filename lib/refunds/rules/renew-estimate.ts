import { compareMoney } from '#lib/core/money.ts';
import { estimateRefund, type RefundEstimate } from './estimate-refund.ts';
import { findRefundHindrance } from './find-hindrance.ts';
import type { RefundFacts } from './period-facts.ts';
import { remainingOf } from './remaining-of.ts';

/** The facts the next approval is about, with what is expected on them; null when a refund of that amount can no longer be done. */
export function renewEstimate(
  facts: RefundFacts,
  amount_usd: string,
  when: { now: string; timeZone: string },
): { facts: RefundFacts; estimate: RefundEstimate } | null {
  const remaining = remainingOf(facts.period);
  if (findRefundHindrance(facts.period) !== null || remaining === null || compareMoney(amount_usd, remaining) > 0) return null;
  return { facts, estimate: estimateRefund(facts, amount_usd, when) };
}
