import type { GameView } from '../game-view.ts';
import type { Period } from '../model.ts';
import type { Usd } from '../money.ts';
import type { RefundEvent, RefundHistory } from '../refunds/refund-history.ts';

export interface Span {
  startMs: number;
  endMs: number;
}

/** What the refunds inside a window reversed of one renewal. */
export interface Reversal {
  period: Period;
  history: RefundHistory;
  events: RefundEvent[];
  refunded: Usd;
  reversedAttributed: Usd;
  partnerReversed: Usd;
  isSettledInWindow: boolean;
  netsToZero: boolean;
  latestInWindowMs: number;
}

/** The reversal of a period inside a window; null when none of its refunds is dated there. A period row counts in full at its latest refund. */
export function reversalIn(view: GameView, period: Period, span: Span): Reversal | null {
  const history = view.history(period);
  const isSettledInWindow = period.paidMs !== null && isWithin(period.paidMs, span);
  if (history.basis === 'period_row') {
    if (history.latestMs === null || !isWithin(history.latestMs, span)) return null;
    return {
      period,
      history,
      events: [],
      refunded: history.refundedToDate,
      reversedAttributed: history.reversedAttributed,
      partnerReversed: 0n,
      isSettledInWindow,
      netsToZero: isSettledInWindow && history.isFullyRefunded,
      latestInWindowMs: history.latestMs,
    };
  }
  const events = history.events.filter((event) => isWithin(event.atMs, span));
  const last = events.at(-1);
  if (last === undefined) return null;
  const refunded = sum(events.map((event) => event.amount));
  return {
    period,
    history,
    events,
    refunded,
    reversedAttributed: sum(events.map((event) => event.reversedAttributed)),
    partnerReversed: sum(events.map((event) => event.partnerReversed)),
    isSettledInWindow,
    netsToZero: isSettledInWindow && refunded === period.amount,
    latestInWindowMs: last.atMs,
  };
}

function isWithin(ms: number, span: Span): boolean {
  return ms >= span.startMs && ms < span.endMs;
}

function sum(amounts: Usd[]): Usd {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
