import { formatInstant, inMonth } from '../instant.ts';
import type { Period, Subscription } from '../model.ts';
import { formatPercent, formatUsd } from '../money.ts';
import type { Book } from '../report/book.ts';
import { addUp, RENEWALS_MAX } from '../report/ledger.ts';
import { reversalIn } from '../report/reversal.ts';
import { totalsObject } from '../report/totals.ts';
import type { Json } from '../wire/json.ts';
import { attributionNotice } from '../wire/notice.ts';
import { readPaging, readQuery, readStatuses } from '../wire/query.ts';
import { cycleStatus, isSettled, renewalLine } from '../wire/renewal-line.ts';
import { subscriptionStatus } from '../wire/subscription-status.ts';
import { findSubscription } from './find-subscription.ts';
import type { Call, Route } from './route.ts';

const CYCLE_STATUSES = ['pending', 'paid', 'failed', 'forgiven', 'refunded'];
const ALL_TIME = { startMs: inMonth(0), endMs: inMonth(9999 * 12) };

export const subscriptionAttributionRoute: Route = {
  name: 'subscription-attribution',
  method: 'GET',
  pattern: /^\/api\/subscriptions\/reporting\/subscriptions\/([^/]+)\/attribution$/,
  meter: 'detail',
  subscriptionId: (call) => call.params[0] ?? null,
  answer: answerSubscriptionAttribution,
};

function answerSubscriptionAttribution(call: Call): Json {
  const { book } = call;
  const query = readQuery(call.search, ['status', 'limit', 'offset']);
  const statuses = readStatuses(query, CYCLE_STATUSES);
  const { limit, offset } = readPaging(query, 'refuse');
  const subscription = findSubscription(book, call.params[0], 'SUBSCRIPTION_ID_INVALID');
  const cycles = book.cyclesOf(subscription);
  const shown = statuses === null ? cycles : cycles.filter((period) => statuses.has(cycleStatus(book, period)));
  return {
    status: 'success',
    attribution_notice: attributionNotice(),
    subscription: subscriptionSummary(book, subscription),
    current_revenue_share: currentShare(book, subscription),
    lifetime_totals: lifetimeTotals(book, cycles),
    periods: shown.slice(offset, offset + limit).map((period) => renewalLine(book, period)),
    pagination: { total_count: shown.length, limit, offset, has_more: offset + limit < shown.length },
  };
}

/** What the reporting routes say of the subscription itself. */
export function subscriptionSummary(book: Book, subscription: Subscription): Json {
  return {
    subscription_id: subscription.id,
    status: subscriptionStatus(book, subscription),
    item_id: subscription.itemId,
    item_name: subscription.itemName,
    current_amount_usd: formatUsd(book.cyclesOf(subscription)[0]?.amount ?? subscription.amount),
    interval: 'month',
    interval_count: subscription.intervalCount,
    created_at: formatInstant(subscription.createdMs),
  };
}

/** The share future renewals will use; never a basis for paying. */
export function currentShare(book: Book, subscription: Subscription): Json | null {
  const rate = subscription.share?.rates.findLast(({ fromMs }) => fromMs <= book.nowMs) ?? subscription.share?.rates[0];
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

function lifetimeTotals(book: Book, cycles: Period[]): Json | null {
  const settled = cycles.filter((period) => isSettled(book, period));
  if (settled.length > RENEWALS_MAX) return null;
  const ledger = addUp(
    settled,
    settled.flatMap((period) => reversalIn(book, period, ALL_TIME) ?? []),
  );
  const recipientIds = ledger.accounts.map(({ recipientId }) => recipientId);
  return { ...totalsObject(ledger.totals, recipientIds.length), recipient_player_ids: recipientIds };
}
