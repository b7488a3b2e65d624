import { addUp, RENEWALS_MAX, totalsObject } from '../evidence/ledger.ts';
import { attributionNotice, isOutOfReach, isSettled, paidAtText, periodStatus, refundEventObject, renewalLine } from '../evidence/lines.ts';
import { reversalIn } from '../evidence/reversal.ts';
import type { GameView } from '../game-view.ts';
import { formatInstant, inMonth } from '../instant.ts';
import type { Period, Subscription } from '../model.ts';
import { formatPercent, formatUsd } from '../money.ts';
import type { RefundHistory } from '../refunds/refund-history.ts';
import { cardFeeCharged } from '../refunds/refund-history.ts';
import type { Call, Route } from '../route.ts';
import { findSubscription } from '../route.ts';
import type { Json } from '../wire/answer.ts';
import { Refusal } from '../wire/answer.ts';
import { readCount, readPaging, readQuery, readStatuses } from '../wire/read-request.ts';
import { subscriptionStatus } from './subscription.ts';

export const periodRoute: Route = {
  name: 'period',
  method: 'GET',
  pattern: /^\/api\/subscriptions\/reporting\/periods\/([^/]+)$/,
  credential: 'secret',
  meter: 'detail',
  subscriptionId: (call) => call.view.period(readCount(call.params[0] ?? '') ?? 0)?.subscription.id ?? null,
  answer: answerPeriod,
};

function answerPeriod(call: Call): Json {
  const { view } = call;
  readQuery(call.search, []);
  const id = readCount(call.params[0] ?? '');
  if (id === null || id < 1) throw new Refusal(400, 'INVALID_FIELD_VALUE', 'The period id must be a whole number.');
  const period = view.period(id);
  if (period === null) throw new Refusal(404, 'PERIOD_NOT_FOUND', 'No such period in this game.');
  const history = view.history(period);
  return {
    status: 'success',
    attribution_notice: attributionNotice(),
    subscription: subscriptionSummary(view, period.subscription),
    period: renewalLine(view, period),
    fee_legs: feeLegs(view, period, history),
    refunds: {
      refund_count: history.events.length,
      refunded_to_date_usd: formatUsd(history.refundedToDate),
      latest_refund_at: history.latestMs === null ? null : formatInstant(history.latestMs),
      basis: history.basis,
      events: history.events.map((event) => ({ ...refundEventObject(event), refund_transaction_id: event.transactionId })),
    },
    charge: chargeObject(view, period),
    current_revenue_share: currentShare(view, period.subscription),
  };
}

function feeLegs(view: GameView, period: Period, history: RefundHistory): Json {
  const isPaid = isSettled(view, period);
  const settled = isPaid ? period.partner : 0n;
  const fees = (isPaid ? period.fees : undefined) ?? { passThrough: 0n, chargeback: 0n, held: 0n };
  const cardFee = cardFeeCharged(view.nowMs, period, history);
  const unknown = { invo_fee_usd: null, partner_revenue_usd: null, partner_revenue_settled_usd: null, partner_revenue_reversed_usd: null };
  return {
    invo_fee_usd: formatUsd(isPaid ? period.fee : 0n),
    invo_fee_percent: '10.00',
    partner_revenue_usd: formatUsd(settled - history.partnerReversed),
    partner_revenue_settled_usd: formatUsd(settled),
    partner_revenue_reversed_usd: formatUsd(history.partnerReversed),
    partner_revenue_percent: '90.00',
    partner_leg_reversed: settled > 0n && history.partnerReversed === settled,
    pass_through_fees_usd: formatUsd(fees.passThrough),
    chargeback_fees_usd: formatUsd(fees.chargeback),
    disputed_amount_held_usd: formatUsd(fees.held),
    ...(cardFee === null ? {} : { card_fee_charged_to_partner_usd: formatUsd(cardFee) }),
    partner_revenue_after_fees_usd: formatUsd(
      settled - history.partnerReversed - fees.passThrough - fees.chargeback - fees.held - (cardFee ?? 0n),
    ),
    ...(isPaid && isOutOfReach(period) ? { ...unknown, partner_leg_reversed: null, partner_revenue_after_fees_usd: null } : {}),
    source: 'settlement_records',
    note: "Two revenue legs: the service and the partner. A recipient's share is a slice of the partner's.",
  };
}

function chargeObject(view: GameView, period: Period): Json {
  const isPaid = isSettled(view, period);
  return {
    attempts_for_period: period.attempts,
    paid_attempt_no: isPaid ? period.attempts : null,
    paid_attempt_at: isPaid ? paidAtText(period) : null,
    outcome: isPaid ? 'paid' : periodStatus(view, period),
  };
}

const CYCLE_STATUSES = ['pending', 'paid', 'failed', 'forgiven', 'refunded'];
const ALL_TIME = { startMs: inMonth(0), endMs: inMonth(9999 * 12) };

export const subscriptionAttributionRoute: Route = {
  name: 'subscription-attribution',
  method: 'GET',
  pattern: /^\/api\/subscriptions\/reporting\/subscriptions\/([^/]+)\/attribution$/,
  credential: 'secret',
  meter: 'detail',
  subscriptionId: (call) => call.params[0] ?? null,
  answer: answerSubscriptionAttribution,
};

function answerSubscriptionAttribution(call: Call): Json {
  const { view } = call;
  const query = readQuery(call.search, ['status', 'limit', 'offset']);
  const statuses = readStatuses(query, CYCLE_STATUSES);
  const { limit, offset } = readPaging(query, 'refuse');
  const subscription = findSubscription(view, call.params[0], 'SUBSCRIPTION_ID_INVALID');
  const periods = view.periodsOf(subscription);
  const shown = statuses === null ? periods : periods.filter((period) => statuses.has(periodStatus(view, period)));
  return {
    status: 'success',
    attribution_notice: attributionNotice(),
    subscription: subscriptionSummary(view, subscription),
    current_revenue_share: currentShare(view, subscription),
    lifetime_totals: lifetimeTotals(view, periods),
    periods: shown.slice(offset, offset + limit).map((period) => renewalLine(view, period)),
    pagination: { total_count: shown.length, limit, offset, has_more: offset + limit < shown.length },
  };
}

/** The subscription summary of the reporting routes. */
function subscriptionSummary(view: GameView, subscription: Subscription): Json {
  return {
    subscription_id: subscription.id,
    status: subscriptionStatus(view, subscription),
    item_id: subscription.itemId,
    item_name: subscription.itemName,
    current_amount_usd: formatUsd(view.periodsOf(subscription)[0]?.amount ?? subscription.amount),
    interval: 'month',
    interval_count: subscription.intervalCount,
    created_at: formatInstant(subscription.createdMs),
  };
}

/** The share that future renewals will use; never a basis for payouts. */
function currentShare(view: GameView, subscription: Subscription): Json | null {
  const rate = subscription.share?.rates.findLast(({ fromMs }) => fromMs <= view.nowMs) ?? subscription.share?.rates[0];
  if (subscription.share === null || rate === undefined) return null;
  return {
    recipient_player_id: subscription.share.recipientId,
    percent: formatPercent(rate.percentBp),
    applies_to: 'future_renewals_only',
    is_payout_basis: false,
    settled_by_invo: false,
    note: 'Each renewal keeps the rate in force when it settled.',
    updated_at: formatInstant(rate.fromMs === 0 ? subscription.createdMs : rate.fromMs),
  };
}

function lifetimeTotals(view: GameView, periods: Period[]): Json | null {
  const settled = periods.filter((period) => isSettled(view, period));
  if (settled.length > RENEWALS_MAX) return null;
  const ledger = addUp(
    settled,
    settled.flatMap((period) => reversalIn(view, period, ALL_TIME) ?? []),
  );
  const recipientIds = ledger.accounts.map(({ recipientId }) => recipientId);
  return { ...totalsObject(ledger.totals, recipientIds.length), recipient_player_ids: recipientIds };
}
