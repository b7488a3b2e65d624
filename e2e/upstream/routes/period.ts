import { formatInstant } from '../instant.ts';
import type { Period } from '../model.ts';
import { formatUsd } from '../money.ts';
import type { Book } from '../report/book.ts';
import { cardFeeCharged } from '../report/card-fee.ts';
import type { RefundHistory } from '../report/refund-history.ts';
import type { Json } from '../wire/json.ts';
import { attributionNotice } from '../wire/notice.ts';
import { readCount, readQuery } from '../wire/query.ts';
import { Refusal } from '../wire/refusal.ts';
import { cycleStatus, isOutOfReach, isSettled, paidAtText, renewalLine } from '../wire/renewal-line.ts';
import { refundEventObject } from '../wire/reversal-line.ts';
import type { Call, Route } from './route.ts';
import { currentShare, subscriptionSummary } from './subscription-attribution.ts';

export const periodRoute: Route = {
  name: 'period',
  method: 'GET',
  pattern: /^\/api\/subscriptions\/reporting\/periods\/([^/]+)$/,
  meter: 'detail',
  subscriptionId: (call) => call.book.period(readCount(call.params[0] ?? '') ?? 0)?.subscription.id ?? null,
  answer: answerPeriod,
};

function answerPeriod(call: Call): Json {
  const { book } = call;
  readQuery(call.search, []);
  const id = readCount(call.params[0] ?? '');
  if (id === null || id < 1) throw new Refusal(400, 'INVALID_FIELD_VALUE', 'The period id must be a whole number.');
  const period = book.period(id);
  if (period === null) throw new Refusal(404, 'PERIOD_NOT_FOUND', 'No such period in this game.');
  const history = book.history(period);
  return {
    status: 'success',
    attribution_notice: attributionNotice(),
    subscription: subscriptionSummary(book, period.subscription),
    period: renewalLine(book, period),
    fee_legs: feeLegs(book, period, history),
    refunds: {
      refund_count: history.events.length,
      refunded_to_date_usd: formatUsd(history.refundedToDate),
      latest_refund_at: history.latestMs === null ? null : formatInstant(history.latestMs),
      basis: history.basis,
      events: history.events.map((event) => ({ ...refundEventObject(event), refund_transaction_id: event.transactionId })),
    },
    charge: chargeObject(book, period),
    current_revenue_share: currentShare(book, period.subscription),
  };
}

function feeLegs(book: Book, period: Period, history: RefundHistory): Json {
  const isPaid = isSettled(book, period);
  const settled = isPaid ? period.partner : 0n;
  const fees = (isPaid ? period.fees : undefined) ?? { passThrough: 0n, chargeback: 0n, held: 0n };
  const cardFee = cardFeeCharged(book.nowMs, period, history);
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

function chargeObject(book: Book, period: Period): Json {
  const isPaid = isSettled(book, period);
  return {
    attempts_for_period: period.attempts,
    paid_attempt_no: isPaid ? period.attempts : null,
    paid_attempt_at: isPaid ? paidAtText(period) : null,
    outcome: isPaid ? 'paid' : cycleStatus(book, period),
  };
}
