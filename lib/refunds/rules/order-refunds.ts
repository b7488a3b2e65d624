import { compareInstants } from '#lib/core/instant.ts';
import { compareMoney } from '#lib/core/money.ts';

/** Refunds of one period, oldest first; refunds of the same instant are ordered by the amount refunded before them. */
export function orderRefunds<Refund extends Ordered>(refunds: readonly Refund[]): Refund[] {
  return refunds.toSorted(
    (a, b) =>
      compareInstants(a.refunded_at, b.refunded_at) ||
      compareMoney(a.cumulative_refunded_before_usd ?? '0', b.cumulative_refunded_before_usd ?? '0'),
  );
}

/** The time of a refund and the amount refunded before it, where reported. */
interface Ordered {
  refunded_at: string;
  cumulative_refunded_before_usd: string | null;
}
