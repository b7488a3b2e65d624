import type { Refund } from '../model.ts';
import type { Remembered } from '../report/book.ts';

export interface KeptRefund extends Refund {
  periodId: number;
  /** Of a refund made by the refund route. */
  clientRequestId?: string;
}

export interface RefundStore extends Remembered {
  add(refund: KeptRefund): void;
  all(): KeptRefund[];
  clear(): void;
}

/** The refunds made in the service since its world was written. */
export function createRefundStore(): RefundStore {
  let byPeriod = new Map<number, KeptRefund[]>();
  let changes = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    get version(): number {
      return changes;
    },
    get lastRefundMs(): number {
      return lastMs;
    },
    refundsOf: (periodId) => byPeriod.get(periodId) ?? [],
    refundedIds: () => byPeriod.keys(),
    add(refund): void {
      byPeriod.set(refund.periodId, [...(byPeriod.get(refund.periodId) ?? []), refund]);
      lastMs = Math.max(lastMs, refund.atMs);
      changes += 1;
    },
    all: () => [...byPeriod.values()].flat(),
    clear(): void {
      byPeriod = new Map();
      lastMs = Number.NEGATIVE_INFINITY;
      changes += 1;
    },
  };
}
