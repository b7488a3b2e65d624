import { compareInstants } from '#lib/core/instant.ts';
import { compareMoney } from '#lib/core/money.ts';

/** When a refund was, and what had been refunded before it where that is told. */
interface Ordered {
  refunded_at: string;
  cumulative_refunded_before_usd: string | null;
}

/** Refunds of one period, oldest first; those of one instant follow each other by what was refunded before them. */
export function orderRefunds<Refund extends Ordered>(refunds: readonly Refund[]): Refund[] {
  return refunds.toSorted(
    (a, b) =>
      compareInstants(a.refunded_at, b.refunded_at) ||
      compareMoney(a.cumulative_refunded_before_usd ?? '0', b.cumulative_refunded_before_usd ?? '0'),
  );
}
