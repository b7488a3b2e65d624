import * as z from 'zod';
import type { Exchange, Invo } from '../invo.ts';
import { REPORTING_PATH, subscriptionSegment } from '../request-path.ts';
import {
  count,
  findPageMismatch,
  ifFits,
  instant,
  list,
  type Mismatch,
  maybe,
  money,
  numericId,
  optionalText,
  otherThanRequested,
  percent,
  readerOf,
  settledByInvo,
  textId,
} from '../shapes/fields.ts';
import { attributionNotice, cycle, lifetimeTotals, pagination } from '../shapes/report-parts.ts';

/** The share in force for renewals to come; no basis for any payout (document 2, applies_to future_renewals_only). */
export const currentRevenueShare = z.object({
  recipient_player_id: numericId,
  percent: ifFits(percent),
  applies_to: optionalText,
  is_payout_basis: z.literal(false).nullish(),
  settled_by_invo: settledByInvo,
  note: optionalText,
  updated_at: ifFits(instant),
});

/** The subscription as the detail reports name it. */
export const subscriptionHead = z.object({
  subscription_id: textId,
  status: optionalText,
  item_id: ifFits(textId),
  item_name: optionalText,
  current_amount_usd: ifFits(money),
  interval: optionalText,
  interval_count: ifFits(count),
  created_at: ifFits(instant),
});

/**
 * The billing cycles of one subscription, newest first, never-paid ones included
 * (document 2, GET /api/subscriptions/reporting/subscriptions/{subscription_id}/attribution).
 */
export const subscriptionAttribution = z.object({
  status: optionalText,
  attribution_notice: attributionNotice,
  subscription: subscriptionHead,
  current_revenue_share: maybe(currentRevenueShare),
  // Distinguished: Invo gives none past its cap, and sums that cannot be read are neither none nor zero.
  lifetime_totals: z.union([maybe(lifetimeTotals), z.transform(() => 'unreadable' as const)]),
  periods: list(cycle, 100),
  pagination,
});

export type SubscriptionAttribution = z.infer<typeof subscriptionAttribution>;

/** Reads one page of the billing cycles of a subscription. */
export function readSubscriptionReport(
  { ask }: Invo,
  subscriptionId: string,
  query: { status?: string[]; limit?: number; offset?: number } = {},
  signal?: AbortSignal,
): Promise<Exchange<SubscriptionAttribution>> {
  const { status, limit, offset } = query;
  const read = readerOf(subscriptionAttribution, (value) => findSubscriptionMismatch(subscriptionId, offset ?? 0, value));
  const path = `${REPORTING_PATH}/subscriptions/${subscriptionSegment(subscriptionId)}/attribution`;
  return ask({ route: { kind: 'detail', subscriptionId }, path, query: { status: status?.join(','), limit, offset }, read, signal });
}

/** The first field by which a subscription's cycles are another subscription's, or another page. Null when none. */
export function findSubscriptionMismatch(subscriptionId: string, offset: number, answered: SubscriptionAttribution): Mismatch | null {
  if (answered.subscription.subscription_id !== subscriptionId) return otherThanRequested('subscription.subscription_id');
  const stray = answered.periods.findIndex((line) => line.subscription_id !== subscriptionId);
  if (stray >= 0) return otherThanRequested(`periods.${stray}.subscription_id`);
  return findPageMismatch(offset, answered.pagination, answered.periods.length);
}
