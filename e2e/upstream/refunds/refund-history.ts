import type { PartnerBasis, Period, Refund, ReversalBasis } from '../model.ts';
import { portion, type Usd } from '../money.ts';

export interface RefundEvent {
  atMs: number;
  amount: Usd;
  before: Usd;
  after: Usd;
  reversedAttributed: Usd;
  partnerReversed: Usd;
  partnerBasis: PartnerBasis;
  isFull: boolean;
  transactionId: string;
}

export interface RefundHistory {
  basis: ReversalBasis;
  /** Oldest first. Empty when only the period row reports the refund. */
  events: RefundEvent[];
  refundedToDate: Usd;
  latestMs: number | null;
  reversedAttributed: Usd;
  partnerReversed: Usd;
  isFullyRefunded: boolean;
}

/**
 * The refunds of a period up to an instant. Each event reverses its share of the attributed amount and of the
 * partner revenue; the one that completes the period takes what is left, so that the sum is exact. The fee is retained.
 */
export function refundHistory(period: Period, refunds: readonly Refund[], nowMs: number): RefundHistory {
  const { events, reversed, refunded, partnerReversed, isCoarse } = composeRefunds(period, refunds, nowMs);
  return {
    basis: isCoarse ? 'period_row' : 'refund_receipts',
    events: isCoarse ? [] : events,
    refundedToDate: refunded,
    latestMs: events.at(-1)?.atMs ?? null,
    reversedAttributed: reversed,
    partnerReversed: isCoarse ? 0n : partnerReversed,
    isFullyRefunded: refunded > 0n && refunded === period.amount,
  };
}

interface Composed {
  events: RefundEvent[];
  reversed: Usd;
  refunded: Usd;
  partnerReversed: Usd;
  isCoarse: boolean;
}

/** The refunds of a period in order, including those the report doesn't show one by one. */
export function composeRefunds(period: Period, refunds: readonly Refund[], nowMs: number): Composed {
  const events: RefundEvent[] = [];
  const attributed = period.attribution?.attributed ?? 0n;
  let refunded = 0n;
  let reversed = 0n;
  let partnerDue = 0n;
  let partnerReversed = 0n;
  const happened = refunds.filter((refund) => refund.atMs <= nowMs).sort((a, b) => a.atMs - b.atMs);
  for (const refund of happened) {
    const amount = refund.amount < period.amount - refunded ? refund.amount : period.amount - refunded;
    if (amount <= 0n) continue;
    const isFull = refunded + amount === period.amount;
    const attributedPart = isFull ? attributed - reversed : portion(attributed, amount, period.amount, period.places);
    const partnerPart = isFull ? period.partner - partnerDue : portion(period.partner, amount, period.amount, period.places);
    const partnerShown = refund.partnerBasis === 'none' ? 0n : partnerPart;
    events.push({
      atMs: refund.atMs,
      amount,
      before: refunded,
      after: refunded + amount,
      reversedAttributed: attributedPart,
      partnerReversed: partnerShown,
      partnerBasis: refund.partnerBasis,
      isFull,
      transactionId: refund.transactionId ?? `RFD_${period.id}_${events.length + 1}`,
    });
    refunded += amount;
    reversed += attributedPart;
    partnerDue += partnerPart;
    partnerReversed += partnerShown;
  }
  return { events, reversed, refunded, partnerReversed, isCoarse: happened.some((refund) => refund.basis === 'period_row') };
}

/** From this instant on, card fees of refunds are reported. */
export const CARD_FEE_FROM_MS = Date.UTC(2026, 8, 28);

/** The card fee of a period's refunds. Null when its last refund, or the clock, is before card fees were reported. */
export function cardFeeCharged(nowMs: number, period: Period, history: RefundHistory): Usd | null {
  if ((history.latestMs ?? nowMs) < CARD_FEE_FROM_MS) return null;
  if (period.isWalletCovered || period.rail !== 'card') return 0n;
  const charged = history.events.filter(({ atMs, partnerBasis }) => atMs >= CARD_FEE_FROM_MS && partnerBasis !== 'none');
  return charged.reduce((sum, event) => sum + event.amount - event.partnerReversed, 0n);
}
