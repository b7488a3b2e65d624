import type { GameView } from '../game-view.ts';
import { formatInstant } from '../instant.ts';
import type { Period, PeriodStatus, Recipient } from '../model.ts';
import { formatPercent, formatUsd } from '../money.ts';
import type { RefundEvent, RefundHistory } from '../refunds/refund-history.ts';
import type { Json } from '../wire/answer.ts';
import type { Reversal } from './reversal.ts';

/** A renewal line of the contract. Refund fields and net partner revenue are as of now. */
export function renewalLine(view: GameView, period: Period): Json {
  const history = view.history(period);
  const isPaid = isSettled(view, period);
  return {
    period_id: period.id,
    subscription_id: period.subscription.id,
    period_seq: period.seq,
    item_id: period.subscription.itemId,
    item_name: period.subscription.itemName,
    status: periodStatus(view, period),
    period_start: formatInstant(period.startMs),
    period_end: formatInstant(period.endMs),
    paid_at: isPaid ? paidAtText(period) : null,
    amount_usd: formatUsd(period.amount),
    ...feeFields(period, history, isPaid),
    funding: fundingObject(period, isPaid),
    refund: {
      refunded_amount_usd: formatUsd(history.refundedToDate),
      refunded_at: history.latestMs === null ? null : formatInstant(history.latestMs),
    },
    transaction_id: isPaid ? `TXN_${period.id}` : null,
    mint_order_id: isPaid && !period.isWalletCovered ? `MINT_${period.id}` : null,
    attribution: isPaid ? attributionObject(view, period) : null,
    attribution_unavailable_reason: isPaid ? period.reason : null,
    settled_by_invo: false,
    reconciliation: reconciliationObject(period, isPaid),
  };
}

/** The status of a period now: refunded only when its whole amount was. */
export function periodStatus(view: GameView, period: Period): PeriodStatus {
  if (!isSettled(view, period)) return period.paidMs === null ? (period.unpaidStatus ?? 'pending') : 'pending';
  return view.history(period).isFullyRefunded ? 'refunded' : 'paid';
}

/** Whether the period was paid by now. */
export function isSettled(view: GameView, period: Period): boolean {
  return period.paidMs !== null && period.paidMs <= view.nowMs;
}

/** The settlement instant as written in answers. */
export function paidAtText(period: Period): string | null {
  return period.paidMs === null ? null : (period.paidText ?? formatInstant(period.paidMs));
}

/** Whether the settlement record of a paid period is unreachable, so that fee and partner revenue are unknown. */
export function isOutOfReach(period: Period): boolean {
  return period.reason === 'spend_order_not_found';
}

function feeFields(period: Period, history: RefundHistory, isPaid: boolean): Json {
  if (isPaid && isOutOfReach(period)) return NO_FEES;
  const settled = isPaid ? period.partner : 0n;
  return {
    invo_fee_usd: formatUsd(isPaid ? period.fee : 0n),
    partner_revenue_usd: formatUsd(settled - history.partnerReversed),
    partner_revenue_settled_usd: formatUsd(settled),
    partner_revenue_reversed_usd: formatUsd(history.partnerReversed),
    partner_leg_reversed: isPaid && settled > 0n && history.partnerReversed === settled,
  };
}

const NO_FEES = {
  invo_fee_usd: null,
  partner_revenue_usd: null,
  partner_revenue_settled_usd: null,
  partner_revenue_reversed_usd: null,
  partner_leg_reversed: null,
};

function fundingObject(period: Period, isPaid: boolean): Json {
  const charged = isPaid && !period.isWalletCovered ? period.amount : 0n;
  return {
    amount_coins: isPaid ? period.coins : '0.00',
    balance_applied_coins: isPaid ? period.balanceCoins : '0.00',
    card_charged_usd: formatUsd(period.rail === 'card' ? charged : 0n),
    rail: period.rail,
    pcstore_charged_usd: formatUsd(period.rail === 'pcstore' ? charged : 0n),
  };
}

function attributionObject(view: GameView, period: Period): Json | null {
  const attribution = period.attribution;
  if (attribution === null) return null;
  return {
    recipient_player_id: attribution.recipientId,
    percent_at_renewal: attribution.isPercentNumber === true ? attribution.percentBp / 100 : formatPercent(attribution.percentBp),
    base_usd: formatUsd(attribution.base),
    attributed_amount_usd: formatUsd(attribution.attributed),
    settled_by_invo: false,
    recipient: recipientObject(view.world.recipient(attribution.recipientId)),
  };
}

function reconciliationObject(period: Period, isPaid: boolean): Json {
  if (!isPaid || period.attribution === null)
    return { checked: false, expected_base_usd: null, recorded_base_usd: null, base_matches_settled_fee: null };
  return {
    checked: true,
    expected_base_usd: formatUsd(period.partner),
    recorded_base_usd: formatUsd(period.attribution.base),
    base_matches_settled_fee: period.partner === period.attribution.base,
  };
}

const NOTES = {
  refund_receipts: 'Exact: one event per refund receipt dated in this window.',
  period_row:
    'Coarse: no refund receipt; the whole reversal is reported in the window of the latest refund, and no partner-revenue clawback is shown.',
};

/** A reversal line of the contract: figures of the window, and cumulative ones for reference. */
export function reversalLine(view: GameView, reversal: Reversal): Json {
  const { period, history } = reversal;
  return {
    period_id: period.id,
    subscription_id: period.subscription.id,
    period_seq: period.seq,
    status: periodStatus(view, period),
    paid_at: paidAtText(period),
    settled_in_this_window: reversal.isSettledInWindow,
    amount_usd: formatUsd(period.amount),
    originally_attributed_usd: formatUsd(period.attribution?.attributed ?? 0n),
    refunded_to_date_usd: formatUsd(history.refundedToDate),
    latest_refund_at: history.latestMs === null ? null : formatInstant(history.latestMs),
    reversed_attributed_usd: formatUsd(reversal.reversedAttributed),
    partner_revenue_reversed_usd: formatUsd(reversal.partnerReversed),
    refund_events: reversal.events.map(refundEventObject),
    reversal_basis: history.basis,
    nets_to_zero_in_window: reversal.netsToZero,
    note: NOTES[history.basis],
  };
}

/** A refund event with its own amounts. */
export function refundEventObject(event: RefundEvent): Json {
  return {
    refunded_at: formatInstant(event.atMs),
    refunded_amount_usd: formatUsd(event.amount),
    cumulative_refunded_before_usd: formatUsd(event.before),
    cumulative_refunded_after_usd: formatUsd(event.after),
    reversed_attributed_usd: formatUsd(event.reversedAttributed),
    partner_revenue_reversed_usd: formatUsd(event.partnerReversed),
    partner_revenue_reversal_basis: event.partnerBasis,
    is_full_refund: event.isFull,
    settled_by_invo: false,
  };
}

/** The recipient object. Identity fields are null when the player record can't be found. */
export function recipientObject(recipient: Recipient): Json {
  return {
    player_id: recipient.playerId,
    resolved: recipient.identity !== null,
    player_email: recipient.identity?.email ?? null,
    player_name: recipient.identity?.name ?? null,
    identity_id: recipient.identity?.identityId ?? null,
  };
}

/** The attribution notice of every reporting answer. */
export function attributionNotice(): Json {
  return {
    settled_by_invo: false,
    invo_has_paid_no_recipient: true,
    document_type: 'attribution_report',
    not_a_remittance_advice: true,
    payer: 'partner',
    statement:
      "Invo settles to the game partner only. The amounts below are attributed to recipients nominated by the partner; Invo has paid none of them and owes them nothing. Paying recipients is the partner's own affair.",
  };
}

/** The report's text on how its figures are derived. */
export const DERIVATION = {
  window: 'A renewal belongs to the window its money settled in; a reversal to the window of its refund.',
  base: 'The amount after the service fee.',
  attributed: 'The percentage in force at the renewal, of the base, recorded at settlement and never recomputed.',
  net: 'Gross attributed less what refunds dated in this window reversed.',
};

/** The report's text on its limits. */
export const KNOWN_LIMITS = {
  inline_lines_per_recipient: 500,
  renewals_per_report: 20_000,
  refunded_renewals_per_report: 20_000,
  window_days: 400,
  coarse_reversals:
    'A reversal without a refund receipt is reported whole in the window of the latest refund, without partner-revenue clawback.',
};
