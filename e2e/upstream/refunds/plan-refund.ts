import { isSettled, periodStatus } from '../evidence/lines.ts';
import type { GameView } from '../game-view.ts';
import type { Period, Subscription } from '../model.ts';
import { formatUsd, type Usd } from '../money.ts';
import { Refusal } from '../wire/answer.ts';
import { readAmount } from '../wire/read-request.ts';
import { composeRefunds } from './refund-history.ts';

export interface RefundRequest {
  periodSeq: number | null;
  /** As sent; the period decides how many decimal places are allowed. */
  amount: unknown;
  reason: string | null;
}

export interface RefundPlan {
  period: Period;
  amount: Usd;
  refundedBefore: Usd;
  isFull: boolean;
  /** Returned to the card: the whole charge when the refund completes the period, else nothing. */
  card: Usd;
  /** Hundredths of a coin; negative when coins are taken. */
  coins: bigint;
  reason: string | null;
}

/** Works out what a refund does. Refuses in this order: no such period, not refundable, more than is left. */
export function planRefund(view: GameView, subscription: Subscription, request: RefundRequest): RefundPlan {
  const period = findPeriod(view, subscription, request.periodSeq);
  if (!isSettled(view, period))
    throw new Refusal(409, 'PERIOD_NOT_REFUNDABLE', 'The period was never collected.', { period_status: periodStatus(view, period) });
  if (period.rail === 'pcstore' && !period.isWalletCovered)
    throw new Refusal(409, 'PCSTORE_REFUND_NOT_SUPPORTED', 'A period charged through the store cannot be refunded here.');
  const { refunded: before, events } = composeRefunds(period, view.refundsOf(period), view.nowMs);
  const handedOut = events.reduce((sum, event) => sum + inCoins(event.amount), 0n);
  const remaining = period.amount - before;
  if (remaining === 0n)
    throw new Refusal(409, 'ALREADY_REFUNDED', 'The period is refunded already.', {
      refunded_amount_usd: formatUsd(before),
      amount_usd: formatUsd(period.amount),
    });
  const amount = request.amount === null ? remaining : readAmount(request.amount, period.places);
  if (amount === null) throw new Refusal(400, 'INVALID_AMOUNT', 'amount_usd must be a decimal string above zero.');
  if (amount > remaining)
    throw new Refusal(400, 'AMOUNT_EXCEEDS_REMAINING', 'More than what is left.', {
      remaining_refundable_usd: formatUsd(remaining),
      already_refunded_usd: formatUsd(before),
    });
  const isFull = amount === remaining;
  return {
    period,
    amount,
    refundedBefore: before,
    isFull,
    card: isFull && !period.isWalletCovered ? period.amount : 0n,
    coins: isFull ? hundredths(period.balanceCoins) - handedOut : inCoins(amount),
    reason: request.reason,
  };
}

/** The coins of a partial refund, ten per dollar, in hundredths of a coin rounded half up. */
function inCoins(amount: Usd): bigint {
  return (amount + 5n) / 10n;
}

/** "12.50" coins as 1250 hundredths. */
export function hundredths(coins: string): bigint {
  return BigInt(coins.replace('.', ''));
}

/** 1250 hundredths as "12.50" coins; a debt is negative. */
export function formatCoins(coins: bigint): string {
  const size = coins < 0n ? -coins : coins;
  return `${coins < 0n ? '-' : ''}${size / 100n}.${(size % 100n).toString().padStart(2, '0')}`;
}

function findPeriod(view: GameView, subscription: Subscription, seq: number | null): Period {
  const periods = view.periodsOf(subscription);
  const collected = periods.filter((period) => isSettled(view, period));
  if (seq !== null) {
    const requested = periods.find((period) => period.seq === seq);
    if (requested === undefined) throw new Refusal(404, 'PERIOD_NOT_FOUND', 'No such period on this subscription.');
    if (collected.length > 0) return requested;
  }
  const billed = collected.find((period) => periodStatus(view, period) === 'paid') ?? collected[0];
  if (billed === undefined) throw new Refusal(409, 'NO_PAID_PERIOD', 'Nothing was collected on this subscription yet.');
  return billed;
}
