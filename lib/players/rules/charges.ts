import { compareInstants, parseInstant, toMicroseconds } from '#lib/core/instant.ts';
import { normalizeMoney, signOfMoney } from '#lib/core/money.ts';
import { type OrderStatus, parseOrderStatus } from '#lib/orders/rules/order.ts';
import { type BilledPeriod, type Funding, periodStateOf } from '#lib/subscriptions/rules/subscription.ts';

/** A billing period that Invo reported, with Invo's field names. */
export interface ReportedPeriod extends Omit<BilledPeriod, 'refunded_amount_usd'> {
  period_id: number;
  subscription_id: string;
  period_seq: number | null;
  period_start: string | null;
  item_name: string | null;
  funding: Funding | null;
  refund: { refunded_amount_usd: string | null } | null;
  mint_order_id: string | null;
}

/** A renewal that a pulled month or a webhook names, of a period that wasn't read. Its amount and time are null where only its order is known. */
interface UnreadPeriod {
  periodId: number;
  subscriptionId: string;
  orderId: string;
  amount_usd: string | null;
  /** As Invo reported it, in any zone. */
  paidAt: string | null;
}

/** A currency purchase that was read, with what it cost and when it was made as far as Invo reported it. */
export interface ReadPurchase {
  orderId: string;
  status: string | null;
  amount: { field: string; amount: string } | null;
  createdAt: string | null;
}

/** What is known of refunds: `rest_unknown` of a completed order, which stays completed while it is partially refunded. `unknown`: not reported, or not read. */
export type RefundFact = 'none' | 'partial' | 'full' | 'dispute_lost' | 'rest_unknown' | 'unknown';

/** Why charges are alike: the same amount less than 24 hours apart, on whatever side of midnight, the same period of one subscription, or both. */
export type Likeness = 'same_amount' | 'same_period' | 'both';

interface ChargeFacts {
  /** When it was charged; null: not reported, or not read. */
  at: string | null;
  /** Null: not reported, or not read. */
  amount_usd: string | null;
  refund: RefundFact;
}

/** One charge of a player: a paid period, a renewal whose period wasn't read, a purchase that was read, or an order that only a webhook names. */
export type Charge = ChargeFacts &
  (
    | { kind: 'period'; period: ReportedPeriod }
    | { kind: 'unread_period'; unread: UnreadPeriod }
    | { kind: 'purchase'; purchase: ReadPurchase }
    | { kind: 'unread_order'; orderId: string }
  );

/** Charges that are alike, newest first, and why; a charge like no other has no likeness and a group of its own. */
export interface ChargeGroup {
  likeness: Likeness | null;
  charges: Charge[];
}

export interface ChargeSources {
  periods: readonly ReportedPeriod[];
  unreadPeriods: readonly UnreadPeriod[];
  purchases: readonly ReadPurchase[];
  /** Orders that webhooks name, with when the webhook came. */
  named: readonly { idText: string; receivedAt: string }[];
}

/**
 * Composes the charges of a player, newest first, those that are alike next to each other. A renewal and the order that charged it are one charge.
 * What Invo reports as not collected is none. Charges without a time come last.
 */
export function composeCharges(sources: ChargeSources): ChargeGroup[] {
  const groups = groupAlike(listCharges(sources));
  return groups.toSorted((a, b) => compareNewest(a.charges[0]?.at ?? null, b.charges[0]?.at ?? null));
}

/** Counts the charges that may be like another without anybody knowing: the amount in USD or the time is not reported, or not read. */
export function countUncompared(groups: readonly ChargeGroup[]): number {
  return groups.flatMap(({ charges }) => charges).filter(({ at, amount_usd }) => at === null || amount_usd === null).length;
}

function listCharges({ periods, unreadPeriods, purchases, named }: ChargeSources): Charge[] {
  const readPeriods = new Set(periods.map(({ period_id }) => period_id));
  const unread = unreadPeriods.filter(({ periodId }) => !readPeriods.has(periodId));
  const ofRenewals = new Set([...periods.map(({ mint_order_id }) => mint_order_id), ...unreadPeriods.map(({ orderId }) => orderId)]);
  const read = purchases.filter(({ orderId }) => !ofRenewals.has(orderId));
  const known = new Set([...ofRenewals, ...purchases.map(({ orderId }) => orderId)]);
  return [
    ...periods
      .filter(({ paid_at }) => paid_at !== null)
      .map(
        (period): Charge => ({ kind: 'period', period, at: period.paid_at, amount_usd: period.amount_usd, refund: refundOfPeriod(period) }),
      ),
    ...unread.map(
      (each): Charge => ({
        kind: 'unread_period',
        unread: each,
        at: parseInstant(each.paidAt),
        amount_usd: each.amount_usd,
        refund: 'unknown',
      }),
    ),
    ...read.filter(({ status }) => !isNotCharged(status)).map(chargeOfPurchase),
    ...named
      .filter(({ idText }) => !known.has(idText))
      .map(
        ({ idText, receivedAt }): Charge => ({
          kind: 'unread_order',
          orderId: idText,
          at: receivedAt,
          amount_usd: null,
          refund: 'unknown',
        }),
      ),
  ];
}

/** What Invo reports about refunds of a paid period; not reported isn't none. */
function refundOfPeriod(period: ReportedPeriod): RefundFact {
  const refunded_amount_usd = period.refund?.refunded_amount_usd ?? null;
  const state = periodStateOf({ ...period, refunded_amount_usd });
  if (state === 'refunded') return 'full';
  if (state === 'partly_refunded') return 'partial';
  return refunded_amount_usd === null ? 'unknown' : 'none';
}

function chargeOfPurchase(purchase: ReadPurchase): Charge {
  const { amount, createdAt, status } = purchase;
  const isInUsd = amount?.field === 'usd_amount' || amount?.field === 'amount_usd';
  return { kind: 'purchase', purchase, at: createdAt, amount_usd: isInUsd ? amount.amount : null, refund: refundOfPurchase(status) };
}

const PURCHASE_REFUNDS: Partial<Record<OrderStatus, RefundFact>> = {
  refunded: 'full',
  disputed_lost: 'dispute_lost',
  completed: 'rest_unknown',
};

function refundOfPurchase(status: string | null): RefundFact {
  const known = parseOrderStatus(status);
  return (known === null ? undefined : PURCHASE_REFUNDS[known]) ?? 'unknown';
}

/** Statuses in which nothing was collected (document 2, order status values). Of one that waits for the processor nobody knows yet. */
function isNotCharged(status: string | null): boolean {
  const known = parseOrderStatus(status);
  return known === 'failed' || known === 'cancelled' || known === 'requires_action';
}

function groupAlike(charges: readonly Charge[]): ChargeGroup[] {
  // Each charge begins in a group of its own; charges that are alike join their groups.
  const groupOf = new Map(charges.map((charge) => [charge, new Set([charge])]));
  const shared = { same_amount: new Set<Charge>(), same_period: new Set<Charge>() };
  for (const [likeness, found] of [
    ['same_amount', listSameAmounts(charges)] as const,
    ['same_period', listSamePeriods(charges)] as const,
  ]) {
    for (const alike of found) {
      const joined = new Set(alike.flatMap((charge) => [...(groupOf.get(charge) ?? [])]));
      for (const charge of joined) groupOf.set(charge, joined);
      for (const charge of alike) shared[likeness].add(charge);
    }
  }
  return [...new Set(groupOf.values())].map((group) => {
    const members = [...group].toSorted((a, b) => compareNewest(a.at, b.at));
    const isOfAmount = members.some((each) => shared.same_amount.has(each));
    const isOfPeriod = members.some((each) => shared.same_period.has(each));
    const likeness = isOfAmount && isOfPeriod ? 'both' : isOfAmount ? 'same_amount' : isOfPeriod ? 'same_period' : null;
    return { likeness, charges: members };
  });
}

const DAY_US = 24n * 3_600_000_000n;

/** Pairs of charges of one amount, each with the next one within 24 hours. */
function listSameAmounts(charges: readonly Charge[]): Charge[][] {
  const timed = charges.flatMap((charge) => {
    const { at, amount_usd } = charge;
    if (at === null || amount_usd === null || signOfMoney(amount_usd) <= 0) return [];
    return [{ charge, us: toMicroseconds(at), amount: normalizeMoney(amount_usd) }];
  });
  return [...Map.groupBy(timed, ({ amount }) => amount).values()].flatMap((equal) => {
    const inTime = equal.toSorted((a, b) => Number(a.us - b.us));
    return inTime.slice(1).flatMap(({ charge, us }, index) => {
      const before = inTime[index];
      return before !== undefined && us - before.us < DAY_US ? [[before.charge, charge]] : [];
    });
  });
}

function listSamePeriods(charges: readonly Charge[]): Charge[][] {
  const keyed = charges.flatMap((charge) => periodKeys(charge).map((key) => ({ key, charge })));
  const groups = [...Map.groupBy(keyed, ({ key }) => key).values()].map((alike) => alike.map(({ charge }) => charge));
  return groups.filter(({ length }) => length > 1);
}

function periodKeys(charge: Charge): string[] {
  if (charge.kind !== 'period') return [];
  const { subscription_id, period_seq, period_start } = charge.period;
  return [
    ...(period_seq === null ? [] : [`${subscription_id} number ${period_seq}`]),
    ...(period_start === null ? [] : [`${subscription_id} start ${period_start}`]),
  ];
}

function compareNewest(instant: string | null, other: string | null): number {
  if (instant === null || other === null) return instant === other ? 0 : instant === null ? 1 : -1;
  return compareInstants(other, instant);
}

/** A subscription as far as it decides whether its periods are read. */
interface ListedSubscription {
  subscription_id: string;
  status: string | null;
  current_period_start: string | null;
}

/** Chooses the subscriptions whose periods are read where a player has more than `most`: those that renew, then those that were billed last. */
export function chooseSubscriptions<Subscription extends ListedSubscription>(
  listed: readonly Subscription[],
  { most, isEnded }: { most: number; isEnded: (status: string | null) => boolean },
): Subscription[] {
  const byNeed = listed.toSorted(
    (a, b) => Number(isEnded(a.status)) - Number(isEnded(b.status)) || compareNewest(a.current_period_start, b.current_period_start),
  );
  const chosen = new Set(byNeed.slice(0, most));
  return listed.filter((each) => chosen.has(each));
}
