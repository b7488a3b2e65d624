import type { Period } from '../model.ts';
import type { Usd } from '../money.ts';
import type { RefundHistory } from './refund-history.ts';

/** Since this instant card fees on refunds are reported. */
export const CARD_FEE_FROM_MS = Date.UTC(2026, 8, 28);

/** The card fee of a period's refunds since it is reported; null where its last refund, or the clock, is older. */
export function cardFeeCharged(nowMs: number, period: Period, history: RefundHistory): Usd | null {
  if ((history.latestMs ?? nowMs) < CARD_FEE_FROM_MS) return null;
  if (period.isWalletCovered || period.rail !== 'card') return 0n;
  const charged = history.events.filter(({ atMs, partnerBasis }) => atMs >= CARD_FEE_FROM_MS && partnerBasis !== 'none');
  return charged.reduce((sum, event) => sum + event.amount - event.partnerReversed, 0n);
}
