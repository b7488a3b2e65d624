import { compareInstants } from '#lib/core/instant.ts';
import { compareMoney, multiplyMoney, negateMoney, prorateMoney, signOfMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import { addMonths, type Month, monthOf, monthWindow } from '#lib/core/month.ts';
import { COARSE_BASIS } from '#lib/evidence/rules/evidence.ts';
import { findRefundBlocker } from './limits.ts';
import { type DisputeFigure, disputeOf, remainingOf } from './period.ts';
import type { PeriodFacts, RefundEstimate, RefundFacts } from './stored.ts';

// Coins credited per refunded USD (document 2, refund effects); used for estimates only.
const COINS_PER_USD = 10;
const A_CENT = '0.01';

/**
 * Estimates a refund from the facts of its period. The amount must be above zero and at most the remaining amount.
 * A partial refund credits coins and never touches the card. The refund that completes the period returns the card charge and takes back
 * the coins that earlier partial refunds credited, and those that the card charge minted, which Invo doesn't report: where a card was charged, the
 * coins are unknown. Source: document 2, refund effects; proportions are rounded to cents, which Invo doesn't specify.
 */
export function estimateRefund(facts: RefundFacts, amount_usd: string, when: { now: string; timeZone: string }): RefundEstimate {
  const { period } = facts;
  const remaining = remainingOf(period);
  if (remaining === null || period.amount_usd === null) throw new Error(`period ${period.period_id} has no price to refund`);
  const isFull = compareMoney(amount_usd, remaining) === 0;
  const delta = coinsOf(facts, amount_usd, isFull);
  const total = sumMoney([period.refunded_to_date_usd, amount_usd]);
  const reversed = revenueReversed(facts, amount_usd, isFull);
  return {
    refunded_amount_usd: amount_usd,
    total_refunded_amount_usd: total,
    remaining_refundable_usd: subtractMoney(remaining, amount_usd),
    is_full_refund: isFull,
    card_refunded_usd: isFull ? cardOf(facts) : '0.00',
    balance_delta_coins: delta,
    ...walletsAfter(facts, delta),
    partner_revenue_reversed_usd: reversed,
    partner_revenue_reversal_mode: isFull ? 'full' : 'prorata',
    card_fee_charged_to_partner_usd: cardFee(facts, amount_usd, reversed),
    invo_fee_retained_usd: period.invo_fee_usd,
    recipient: recipientAfter(facts, total, isFull),
    reversal_month: monthOf(when.now, when.timeZone),
    access: accessAfter(facts, isFull),
  };
}

function cardOf({ period }: RefundFacts): string | null {
  return period.rail === 'pcstore' ? (period.card_charged_usd ?? '0.00') : period.card_charged_usd;
}

function isCardCharged({ card_charged_usd: card }: PeriodFacts): boolean {
  return card !== null && signOfMoney(card) > 0;
}

function coinsOf({ period }: RefundFacts, amount_usd: string, isFull: boolean): string | null {
  if (!isFull) return multiplyMoney(amount_usd, COINS_PER_USD);
  if (period.balance_applied_coins === null || isCardCharged(period)) return null;
  return subtractMoney(period.balance_applied_coins, multiplyMoney(period.refunded_to_date_usd, COINS_PER_USD));
}

function walletsAfter(facts: RefundFacts, delta: string | null): Pick<RefundEstimate, 'wallets' | 'wallet_below_zero'> {
  if (facts.wallets === null) return { wallets: null, wallet_below_zero: delta !== null && signOfMoney(delta) >= 0 ? false : null };
  // With several currencies Invo doesn't report which one changes, so no resulting balance is estimated for any.
  const isOne = facts.wallets.length === 1;
  const wallets = facts.wallets.map(({ currency_name, available_balance }) => ({
    currency_name,
    before: available_balance,
    after: isOne && delta !== null ? sumMoney([available_balance, delta]) : null,
  }));
  const [only] = wallets;
  if (delta !== null && signOfMoney(delta) >= 0) return { wallets, wallet_below_zero: false };
  return { wallets, wallet_below_zero: isOne && only?.after ? signOfMoney(only.after) < 0 : null };
}

function revenueReversed({ period }: RefundFacts, amount_usd: string, isFull: boolean): string | null {
  const { partner_revenue_settled_usd: settled, partner_revenue_reversed_usd: reversed, amount_usd: price } = period;
  if (settled === null || price === null || signOfMoney(price) === 0) return null;
  if (!isFull) return prorateMoney(settled, amount_usd, price);
  // For earlier refunds without receipts Invo doesn't report the reversed partner revenue: its zero means unknown (document 2, reversals).
  const isCoarse = period.refund_basis === COARSE_BASIS && signOfMoney(period.refunded_to_date_usd) > 0;
  if (reversed === null || isCoarse) return null;
  // Less was reversed than the refunded portion: Invo doesn't specify whether the completing refund reverses the rest or only its own part.
  const portion = prorateMoney(settled, period.refunded_to_date_usd, price);
  return compareMoney(sumMoney([reversed, A_CENT]), portion) < 0 ? null : subtractMoney(settled, reversed);
}

// The contract defines this fee as the refunded amount less the reversed revenue for card charges only; without a card it is undefined.
function cardFee({ period }: RefundFacts, amount_usd: string, reversed: string | null): string | null {
  return isCardCharged(period) && reversed !== null ? subtractMoney(amount_usd, reversed) : null;
}

function recipientAfter({ period }: RefundFacts, total: string, isFull: boolean): RefundEstimate['recipient'] {
  if (period.attribution === null || period.amount_usd === null || signOfMoney(period.amount_usd) === 0) return null;
  const { recipient_player_id, attributed_amount_usd: original_usd } = period.attribution;
  const refunded_usd = isFull ? original_usd : prorateMoney(original_usd, total, period.amount_usd);
  return { recipient_player_id, original_usd, refunded_usd, net_usd: subtractMoney(original_usd, refunded_usd) };
}

function accessAfter({ period, subscription, otherPaidUntil }: RefundFacts, isFull: boolean): RefundEstimate['access'] {
  if (subscription === null) return null;
  const until_before = subscription.paid_through;
  if (!isFull || until_before === null) return { until_before, until_after: until_before };
  const isLast = period.period_end === null || compareInstants(period.period_end, until_before) >= 0;
  if (!isLast) return { until_before, until_after: until_before };
  return otherPaidUntil === null ? null : { until_before, until_after: otherPaidUntil.instant };
}

/** The coins the wallet loses, above zero; null when it loses none, or the change is unknown. */
export function coinsTaken(estimate: RefundEstimate): string | null {
  const { balance_delta_coins: delta } = estimate;
  return delta !== null && signOfMoney(delta) < 0 ? negateMoney(delta) : null;
}

/** What a person must confirm a second time before a refund. */
export interface RefundRisk {
  /** The negative balance the wallet reaches, or `unknown` when coins are taken from an unknown balance; null: no risk. */
  wallet: string | null;
  /** Chargeback fees and held amounts above zero; null: none. */
  dispute: DisputeFigure[] | null;
}

/** The risk of a refund; null: none. */
export function riskOf(period: PeriodFacts, estimate: RefundEstimate): RefundRisk | null {
  const risk = { wallet: walletRiskOf(estimate), dispute: disputeOf(period) };
  return risk.wallet === null && risk.dispute === null ? null : risk;
}

/** A risk as text: another figure is another risk, and must be confirmed again. Null: no risk. */
export function riskKey(risk: RefundRisk | null): string | null {
  if (risk === null) return null;
  return [...(risk.wallet === null ? [] : [`wallet ${risk.wallet}`]), ...(risk.dispute ?? []).map((figure) => figure.join(' '))].join(', ');
}

function walletRiskOf(estimate: RefundEstimate): string | null {
  if (estimate.wallet_below_zero === true) return estimate.wallets?.[0]?.after ?? 'unknown';
  return estimate.wallet_below_zero === null && (coinsTaken(estimate) !== null || takesMintedCoins(estimate)) ? 'unknown' : null;
}

/** Whether a refund takes back the coins that the card charge minted: Invo doesn't report how many. */
export function takesMintedCoins({ is_full_refund, balance_delta_coins, card_refunded_usd: card }: RefundEstimate): boolean {
  return is_full_refund && balance_delta_coins === null && card !== null && signOfMoney(card) > 0;
}

/** Fresh facts with their estimate, for the next approval; null when a refund of that amount is no longer possible. */
export function renewEstimate(
  facts: RefundFacts,
  amount_usd: string,
  when: { now: string; timeZone: string },
): { facts: RefundFacts; estimate: RefundEstimate } | null {
  const remaining = remainingOf(facts.period);
  if (findRefundBlocker(facts.period) !== null || remaining === null || compareMoney(amount_usd, remaining) > 0) return null;
  return { facts, estimate: estimateRefund(facts, amount_usd, when) };
}

/** The month whose report will contain a reversal. `orLater`: the next month, when the refund may happen only then. */
export interface ReversalPreview {
  month: Month;
  orLater: { month: Month; from: string } | null;
}

const DAY_MS = 24 * 60 * 60_000;

/**
 * The month, in the game's reporting time zone, that reports a refund made at an instant: a reversal is dated by its refund. Sending may
 * take a day, so on the last day of a month the next month is included.
 */
export function previewReversal(instant: string, timeZone: string): ReversalPreview {
  const month = monthOf(instant, timeZone);
  const { end } = monthWindow(month, timeZone);
  const isNear = Date.parse(end) - Date.parse(instant) <= DAY_MS;
  return { month, orLater: isNear ? { month: addMonths(month, 1), from: end } : null };
}
