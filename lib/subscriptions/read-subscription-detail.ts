import { compareInstants } from '#lib/core/instant.ts';
import { signOfMoney } from '#lib/core/money.ts';
import type { Deadline, GameContext } from '../games/game-context.ts';
import { isAbsent } from '../invo/invo-error.ts';
import { type PeriodReport, periodReport, readPeriodReport, reshapePeriodFacts } from '../invo/routes/period-report.ts';
import { readSubscriptionReport, type SubscriptionAttribution, subscriptionAttribution } from '../invo/routes/subscription-report.ts';
import { type Player, readSubscription, type Subscription, type SubscriptionRead, subscriptionRead } from '../invo/routes/support-reads.ts';
import type { Cycle } from '../invo/shapes/report-parts.ts';
import type { PeriodFacts } from '../refunds/rules/stored.ts';
import { type Detail, type DetailRoute, mapDetail, readDetail } from './read-detail.ts';
import type { KnownRecords, PeriodFigures } from './writes.ts';

/** Periods per page: Invo's maximum. */
export const PERIODS_PER_PAGE = 100;

/** A subscription and one page of its billing periods; each is live or stored on its own. */
export interface SubscriptionDetail {
  subscription: Detail<SubscriptionRead>;
  periods: Detail<SubscriptionAttribution>;
}

/** Reads a subscription and its periods from an offset on, newest first (document 2, subscription and its attribution). */
export async function readSubscriptionDetail(
  context: GameContext,
  subscriptionId: string,
  { offset = 0, ...deadline }: Deadline & { offset?: number } = {},
): Promise<SubscriptionDetail> {
  const [subscription, periods] = await Promise.all([
    readDetail(context, subscriptionRoute(subscriptionId), deadline),
    readDetail(context, periodsRoute(subscriptionId, offset), deadline),
  ]);
  return { subscription, periods };
}

/** How a subscription is read and stored. */
export function subscriptionRoute(subscriptionId: string): DetailRoute<SubscriptionRead> {
  return {
    kind: 'subscription',
    subject: subscriptionId,
    shape: subscriptionRead,
    ask: (invo, signal) => readSubscription(invo, subscriptionId, signal),
    isNotFound: isAbsent,
    known: ({ subscription, player }) => knownOfSubscription(subscription, player),
  };
}

/** How one page of a subscription's periods is read and stored. */
export function periodsRoute(subscriptionId: string, offset: number): DetailRoute<SubscriptionAttribution> {
  return {
    kind: 'cycles',
    subject: `${subscriptionId} ${offset}`,
    shape: subscriptionAttribution,
    ask: (invo, signal) => readSubscriptionReport(invo, subscriptionId, { limit: PERIODS_PER_PAGE, offset }, signal),
    isNotFound: isAbsent,
    known: knownOfPeriods,
  };
}

/** Invo's report of a period, and the facts in it that a refund depends on. */
export interface PeriodAnswer {
  report: PeriodReport;
  facts: PeriodFacts;
}

/** Reads one period with its money, refunds and charge: live, else stored (document 2, period report). */
export async function readPeriodDetail(context: GameContext, periodId: number, deadline: Deadline = {}): Promise<Detail<PeriodAnswer>> {
  const detail = await readDetail(context, periodRoute(periodId), deadline);
  return mapDetail(detail, (report) => ({ report, facts: reshapePeriodFacts(report) }));
}

/** How a period's report is read and stored. */
export function periodRoute(periodId: number): DetailRoute<PeriodReport> {
  return {
    kind: 'period',
    subject: String(periodId),
    shape: periodReport,
    ask: (invo, signal) => readPeriodReport(invo, periodId, signal),
    isNotFound: isAbsent,
    known: knownOfPeriod,
    figures: figuresOfPeriod,
  };
}

/** What a month adds up of a period's report. Refunds that Invo reports only as one sum have no dates but the latest. */
export function figuresOfPeriod({ period, fee_legs: legs, refunds }: PeriodReport): PeriodFigures {
  const dates = (refunds?.events ?? []).map(({ refunded_at }) => refunded_at).toSorted(compareInstants);
  const isUnlisted = dates.length === 0 && signOfMoney(refunds?.refunded_to_date_usd ?? period.refund?.refunded_amount_usd ?? '0') > 0;
  return {
    card_charged_usd: period.funding?.card_charged_usd ?? null,
    pass_through_fees_usd: legs?.pass_through_fees_usd ?? null,
    chargeback_fees_usd: legs?.chargeback_fees_usd ?? null,
    disputed_amount_held_usd: legs?.disputed_amount_held_usd ?? null,
    card_fee_charged_to_partner_usd: legs?.card_fee_charged_to_partner_usd ?? null,
    partner_revenue_after_fees_usd: legs?.partner_revenue_after_fees_usd ?? null,
    refund_count: isUnlisted ? null : dates.length,
    first_refunded_at: dates[0] ?? null,
    last_refunded_at: dates.at(-1) ?? refunds?.latest_refund_at ?? null,
  };
}

/** The ids in a period's report: its transactions, order, subscription and recipient. */
function knownOfPeriod({ period, refunds, subscription }: PeriodReport): KnownRecords {
  const { subscription_id, period_id } = period;
  const refundIds = (refunds?.events ?? []).flatMap(({ refund_transaction_id: id_text }) =>
    id_text === null ? [] : [{ kind: 'transaction', id_text, subscription_id, period_id }],
  );
  return {
    players: recipientOf(period),
    subscriptions: [{ subscription_id, player_id: null, item_name: period.item_name, status: subscription?.status ?? null }],
    ids: [...idsOf(period), ...refundIds],
  };
}

/** The ids in one page of a subscription's periods. */
function knownOfPeriods({ subscription, periods }: SubscriptionAttribution): KnownRecords {
  const { subscription_id, item_name, status } = subscription;
  return {
    players: periods.flatMap(recipientOf),
    subscriptions: [{ subscription_id, player_id: null, item_name, status }],
    ids: periods.flatMap(idsOf),
  };
}

/** The ids in a subscription: its player and its idempotency key. */
export function knownOfSubscription(subscription: Subscription, player: Player | null): KnownRecords {
  const { subscription_id, player_id, item_name, status, client_request_id: id_text } = subscription;
  return {
    players: player === null ? [] : knownPlayer(player, player.player_email),
    subscriptions: [{ subscription_id, player_id, item_name, status }],
    ids: id_text === null || id_text === '' ? [] : [{ kind: 'client_request', id_text, subscription_id, period_id: 0 }],
  };
}

/** A player as Invo reports them; empty without an email. */
export function knownPlayer(
  { player_id, player_name, identity_id }: Pick<Player, 'player_id' | 'player_name' | 'identity_id'>,
  player_email: string | null,
): KnownRecords['players'] {
  return player_email === null || player_email === '' ? [] : [{ player_id, player_email, player_name, identity_id }];
}

function idsOf({ transaction_id, mint_order_id, subscription_id, period_id }: Cycle): KnownRecords['ids'] {
  return [
    ...(transaction_id === null ? [] : [{ kind: 'transaction', id_text: transaction_id, subscription_id, period_id }]),
    ...(mint_order_id === null ? [] : [{ kind: 'order', id_text: mint_order_id, subscription_id, period_id }]),
  ];
}

function recipientOf({ attribution }: Cycle): KnownRecords['players'] {
  const recipient = attribution?.recipient ?? null;
  return recipient === null ? [] : knownPlayer(recipient, recipient.player_email);
}
