import { formatMoney, formatUsd, signOfMoney, subtractMoney } from '#lib/core/money.ts';
import type { Tone } from '#lib/core/strings.ts';
import type { TypedAmountError } from '../core/typed-input.ts';
import type { AttemptClass } from './rules/attempt.ts';
import { formatRefundAction } from './rules/audit-actions.ts';
import type { RefundRisk } from './rules/estimate.ts';
import type { RefundBlocker } from './rules/limits.ts';
import { type DisputeFigure, type Share, shareOf } from './rules/period.ts';
import { type AttentionReason, type OutcomeDecision, parseRefundState, type RefundState } from './rules/state.ts';
import type { PeriodFacts, RefundEstimate, RefundFacts } from './rules/stored.ts';

/** A state on a screen: its label, its tone, and what is safe to know or to do. */
export interface StateText {
  label: string;
  tone: Tone;
  sentence: string;
}

export const REFUND_STATE_TEXT: Record<RefundState, StateText> = {
  awaiting_approval: {
    label: 'Awaiting approval',
    tone: 'wait',
    sentence: 'Nothing has been refunded. This refund must be approved before it is sent to Invo.',
  },
  approved: { label: 'Queued', tone: 'wait', sentence: 'Approved. Sharebook sends it to Invo automatically.' },
  sending: { label: 'Sending', tone: 'wait', sentence: 'The request is on its way to Invo. You can leave this page.' },
  waiting: {
    label: 'Retrying',
    tone: 'wait',
    sentence: 'Invo hasn’t made this refund yet. Sharebook retries the same request automatically. No action is needed.',
  },
  unknown: {
    label: 'Unknown',
    tone: 'wait',
    sentence:
      'Invo may have made this refund. Sharebook retries with the same idempotency key, which can’t refund twice. Don’t refund this period anywhere else.',
  },
  verifying: {
    label: 'Checking',
    tone: 'wait',
    sentence: 'Invo’s responses didn’t confirm the outcome, so Sharebook is reading the period. Don’t refund this period anywhere else.',
  },
  attention: {
    label: 'Needs attention',
    tone: 'bad',
    sentence:
      'The outcome can’t be determined automatically. Two people must check with Invo and record it. Don’t refund this period anywhere else.',
  },
  landed: { label: 'Refunded', tone: 'good', sentence: 'This refund is complete. It was made once.' },
  refused: { label: 'Refused', tone: 'bad', sentence: 'Invo refused this refund. No money moved.' },
  not_landed: { label: 'Not refunded', tone: 'quiet', sentence: 'Two people confirmed that Invo never made this refund.' },
  rejected: { label: 'Rejected', tone: 'quiet', sentence: 'The approver rejected this refund. No money moved.' },
  withdrawn: { label: 'Withdrawn', tone: 'quiet', sentence: 'This refund was withdrawn before Invo made it. No money moved.' },
};

/** While Sharebook checks a refund whose repeat Invo answered as already processed, with a transaction and without a receipt. */
const PROCESSED_TEXT: StateText = {
  label: 'Processed at Invo',
  tone: 'wait',
  sentence:
    'Invo confirms that it processed this refund and names its transaction, but sent no amounts. Sharebook reads them from the period, within 45 minutes. Don’t refund this period anywhere else.',
};

/** What a refund is shown as: its state, or that Invo has confirmed it while Sharebook still checks it. */
export function refundStatusText({ state, isProcessed }: { state: RefundState; isProcessed: boolean }): StateText {
  return isProcessed ? PROCESSED_TEXT : REFUND_STATE_TEXT[state];
}

/** The reason of a pause that Sharebook started itself. */
export const RESTORE_REASON = 'The database was restored from a backup.';

/** For the operator: what a data folder can't tell of a database that it hasn't seen. */
export const FOLDER_UNKNOWN =
  'This data folder doesn’t know this database, so it can’t tell whether it was restored. If it was, run restore-check --restored before a worker starts.';

/** What a pause after a restore means; `openCount` refunds were open when the backup was made. */
export function formatRestore(openCount: number): string {
  const open =
    openCount === 0
      ? 'No refund was open at the backup.'
      : `${openCount === 1 ? '1 refund was' : `${openCount} refunds were`} open at the backup and may have been sent since.`;
  return `Refunds requested after the backup are missing here, but Invo may have made them. ${open} Their periods are read from Invo when refunds resume.`;
}

/** Why a period can’t be refunded. */
export const BLOCKER_TEXT: Record<RefundBlocker, string> = {
  never_collected: 'No payment was collected for this period, so there is nothing to refund.',
  nothing_charged: 'Nothing was charged for this period, so there is nothing to refund.',
  already_refunded: 'This period is already fully refunded.',
  store_charged: 'This period was charged through the game store. Invo can’t refund store charges; the player must ask the store.',
  number_unknown: 'Invo doesn’t report this period’s number. A refund can’t be sent without it.',
  funding_unknown: 'Invo doesn’t report whether the game store charged this period. Store charges can’t be refunded.',
  refunds_unknown: 'Invo’s refunded amount for this period is missing or invalid, so the remaining amount is unknown.',
  price_unknown: 'Invo doesn’t report the price of this period. A refund can’t be sent without an amount.',
};

const AMOUNT_ERRORS: Record<TypedAmountError, string> = {
  not_an_amount: 'Enter an amount in USD, such as 4.50.',
  separators: 'Enter the amount without thousands separators, such as 1234.50.',
  not_above_zero: 'Enter an amount greater than zero.',
  more_than_left: 'The amount exceeds what remains for this period.',
  not_whole_cents: 'Enter whole cents, or refund the full remaining amount.',
};

/** What is wrong with a typed amount; names the remaining amount where it is known. */
export function formatAmountError(error: TypedAmountError, remaining: string | null = null): string {
  return error === 'more_than_left' && remaining !== null
    ? `The amount exceeds the remaining ${formatUsd(remaining)} for this period.`
    : AMOUNT_ERRORS[error];
}

/** The result of one call to Invo. */
export const ATTEMPT_TEXT: Record<AttemptClass, { word: string; tone: Tone }> = {
  landed: { word: 'Refunded', tone: 'good' },
  replayed: { word: 'Already refunded by an earlier attempt; Invo returned the stored receipt', tone: 'good' },
  reduced: { word: 'Reported as already refunded, without a receipt', tone: 'wait' },
  refused: { word: 'Refused', tone: 'bad' },
  wait: { word: 'Invo asked to wait', tone: 'wait' },
  no_access: { word: 'Invo denied access for this game', tone: 'bad' },
  not_sent: { word: 'Not sent', tone: 'wait' },
  retry: { word: 'Failed at Invo, outcome unknown', tone: 'wait' },
  paused: { word: 'Paused at Invo, outcome unknown', tone: 'wait' },
  no_answer: { word: 'No response, outcome unknown', tone: 'wait' },
  attention: { word: 'Invo requires a manual check', tone: 'bad' },
  contradiction: { word: 'The receipt is for another refund or doesn’t add up', tone: 'bad' },
};

const ATTENTION: Record<AttentionReason, string> = {
  invo_asks_for_a_person: 'Invo’s response leaves the outcome open. Check with Invo.',
  receipt_contradicts:
    'Invo returned a receipt that is not for this refund (another period, amount or key), or whose figures don’t add up.',
  receipt_of_another: 'Invo returned the receipt of another Sharebook refund.',
  content_altered: 'The stored refund differs from what was approved. Nothing has been sent since. Contact your Sharebook administrator.',
  cannot_be_read: 'The period couldn’t be read from Invo for 45 minutes.',
  looks_landed: 'Probably refunded: the period shows one new refund of this amount at that time.',
  looks_not_landed: 'Probably not refunded: the period shows nothing new 30 minutes after the last attempt.',
  reported_after_all: 'This refund was recorded as not refunded, but a month pulled since reports a refund like it.',
  period_unclear: 'The period changed in a way that this refund alone doesn’t explain.',
  not_shown: 'Invo reports this refund as already made, but the period doesn’t show it 30 minutes later. Check with Invo.',
  other_subscription: 'Invo’s answer about this period names another subscription. Check with Invo.',
};

/** Why the outcome needs two people. */
export function formatAttention(reason: AttentionReason | null): string {
  return reason === null ? 'The outcome can’t be determined automatically.' : ATTENTION[reason];
}

/** What two people record about a refund. */
export const OUTCOME_TEXT: Record<OutcomeDecision, string> = {
  landed: 'Refunded',
  not_landed: 'Not refunded',
  send_again: 'Retry the request',
};

/** An audit entry of a refund as a sentence, with the words the person gave. */
export function formatActivity(entry: { actor: string; act: string; detail: Record<string, unknown> }): {
  sentence: string;
  quote: string | null;
} {
  const { actor, act, detail } = entry;
  const name = actor === 'worker' ? 'Sharebook' : actor;
  return { sentence: `${name} ${formatRefundAction(act)}${formatDetail(detail)}.`, quote: textOf(detail['why']) ?? textOf(detail['text']) };
}

function formatDetail(detail: Record<string, unknown>): string {
  const decision = textOf(detail['decision']);
  if (decision !== null)
    return `: ${(Object.hasOwn(OUTCOME_TEXT, decision) ? OUTCOME_TEXT[decision as OutcomeDecision] : decision).toLowerCase()}`;
  if (detail['approval'] === 'policy') return ', approved automatically within the auto-approval limit';
  const newState = parseRefundState(detail['to']);
  return newState === null ? '' : `. State: ${REFUND_STATE_TEXT[newState].label.toLowerCase()}`;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** How a period was paid for, with card, store and coins listed apart. Amounts that aren't reported are left out, unless none is reported. */
export function formatCharged({ card_charged_usd: card, pcstore_charged_usd: store, balance_applied_coins: coins }: PeriodFacts): string {
  const parts = [
    ...(card !== null && signOfMoney(card) > 0 ? [`${formatUsd(card)} by card`] : []),
    ...(store !== null && signOfMoney(store) > 0 ? [`${formatUsd(store)} through the game store`] : []),
    ...(coins !== null && signOfMoney(coins) > 0 ? [`${formatMoney(coins)} coins from the wallet`] : []),
  ];
  if (parts.length > 0) return parts.join(' and ');
  return card === null && store === null && coins === null ? 'not reported' : 'nothing by card or store';
}

/** An amount of Invo’s in a list of facts; null is not reported. */
export function formatReportedUsd(amount: string | null): string {
  return amount === null ? 'Not reported' : formatUsd(amount);
}

const AMOUNT_NAMES: Partial<Record<keyof PeriodFacts, string>> = {
  amount_usd: 'Price',
  refunded_to_date_usd: 'Refunded amount',
  card_charged_usd: 'Card charge',
  pcstore_charged_usd: 'Store charge',
};
const FACT_NAMES: Partial<Record<keyof PeriodFacts, string>> = {
  status: 'Period status',
  refund_count: 'Number of refunds',
  paid_at: 'Payment date',
  balance_applied_coins: 'Coins applied',
  rail: 'Payment method',
  period_seq: 'Period number',
};

/** What changed about a period, one sentence each; none: no fact that a refund depends on. */
export function formatChanges(before: PeriodFacts, now: PeriodFacts): string[] {
  const changed = <Key extends keyof PeriodFacts>(names: Partial<Record<Key, string>>): [Key, string][] =>
    (Object.entries(names) as [Key, string][]).filter(([key]) => before[key] !== now[key]);
  const amount = (value: unknown): string => (typeof value === 'string' ? formatUsd(value) : 'not reported');
  const fact = (value: unknown): string => (value === null ? 'not reported' : String(value));
  return [
    ...changed(AMOUNT_NAMES).map(([key, name]) => `${name} changed from ${amount(before[key])} to ${amount(now[key])}.`),
    ...changed(FACT_NAMES).map(([key, name]) => `${name} changed from ${fact(before[key])} to ${fact(now[key])}.`),
  ];
}

/** What a reading of a period shows about its refunds. No data about them doesn't mean none. */
export function formatReading(
  period: Pick<PeriodFacts, 'refunds_told' | 'refunded_to_date_usd' | 'amount_usd' | 'refund_count' | 'events'>,
): string {
  const { refunds_told, refunded_to_date_usd: refunded, amount_usd: price, refund_count, events } = period;
  if (!refunds_told) return 'Invo reported no refund data.';
  const count = refund_count ?? events.length;
  // An amount without a listed refund: Invo reports only the sum.
  const refunds = count === 0 && signOfMoney(refunded) !== 0 ? '' : `, ${count === 1 ? '1 refund' : `${count} refunds`}`;
  return `${formatUsd(refunded)}${price === null ? '' : ` of ${formatUsd(price)}`} refunded${refunds}.`;
}

/** What happens to coins, with the direction in words; null is unknown, never none. */
export function formatCoins(delta: string | null): string {
  if (delta === null) return 'Unknown';
  const sign = signOfMoney(delta);
  if (sign === 0) return 'None';
  return sign > 0 ? `+${formatMoney(delta)} coins to the wallet` : `${formatMoney(delta)} coins from the wallet`;
}

/** What a refund costs the partner: a sum only if both parts are known. */
export function formatCost(
  cost: Pick<RefundEstimate, 'refunded_amount_usd' | 'partner_revenue_reversed_usd' | 'card_fee_charged_to_partner_usd'>,
): string {
  const { refunded_amount_usd: total, partner_revenue_reversed_usd: revenue, card_fee_charged_to_partner_usd: fee } = cost;
  if (revenue !== null && fee !== null) return `${formatUsd(total)}: ${formatUsd(revenue)} revenue reversed and ${formatUsd(fee)} card fee`;
  if (revenue !== null) return `${formatUsd(revenue)} revenue reversed; card fee unknown`;
  return fee === null ? 'Unknown' : `${formatUsd(fee)} card fee; revenue reversed unknown`;
}

const WITHOUT_RECIPIENT: Record<Share, string> = {
  attributed: 'Unknown',
  not_attributed: 'No recipient has a share in this period',
  unknown: 'Unknown: Invo reports no attribution for this period',
};

/** The recipient's remaining attribution, and what it was before this refund if earlier ones reduced it. */
export function formatRecipient({ period }: Pick<RefundFacts, 'period'>, recipient: RefundEstimate['recipient']): string {
  if (recipient === null) return WITHOUT_RECIPIENT[shareOf(period)];
  const { recipient_player_id, net_usd, original_usd } = recipient;
  const taken = period.attribution?.reversed_attributed_usd ?? null;
  const before = taken === null || signOfMoney(taken) === 0 ? '' : ` (${formatUsd(subtractMoney(original_usd, taken))} before this refund)`;
  return `Player ${recipient_player_id} keeps ${formatUsd(net_usd)} of ${formatUsd(original_usd)} attributed${before}`;
}

const DISPUTE_TEXT: Record<DisputeFigure[0], string> = {
  chargeback_fees_usd: 'in chargeback fees',
  disputed_amount_held_usd: 'held while the charge is disputed',
};

/** What Invo reports of a chargeback, in one sentence. */
export function formatDispute(dispute: DisputeFigure[]): string {
  const figures = dispute.map(([name, amount]) => `${formatUsd(amount)} ${DISPUTE_TEXT[name]}`);
  return `Invo reports ${figures.join(' and ')} for this period.`;
}

/** What a person confirms before a refund with a risk, one sentence each. */
export function formatRisk({ wallet, dispute }: RefundRisk): string[] {
  const coins =
    wallet === 'unknown'
      ? 'I understand that it is unknown how many coins are taken from the wallet or what remains in it, and that it may go below zero.'
      : `I understand that the player’s wallet goes below zero, to ${formatMoney(wallet ?? '0')} coins.`;
  return [
    ...(wallet === null ? [] : [coins]),
    ...(dispute === null ? [] : [`${formatDispute(dispute)} I understand that the player may already have been paid back.`]),
  ];
}

/** The headline of an estimate. */
export function formatSummary(estimate: Pick<RefundEstimate, 'is_full_refund' | 'card_refunded_usd' | 'balance_delta_coins'>): string {
  const { is_full_refund, card_refunded_usd: card, balance_delta_coins: delta } = estimate;
  const coins = delta === null ? 'coins unknown' : signOfMoney(delta) === 0 ? 'no coins' : formatCoins(delta);
  if (!is_full_refund) return `Partial refund. Nothing to the card; ${coins}.`;
  if (card === null) return `Completes the period. Card refund unknown; ${coins}.`;
  return `Completes the period. ${signOfMoney(card) > 0 ? `${formatUsd(card)} to the card` : 'Nothing to the card'}; ${coins}.`;
}
