import * as z from 'zod';
import { count, ifFits, instant, list, maybe, money, numericId, percent, settledByInvo, textId, words } from '../shapes/fields.ts';
import { attributionNotice } from '../shapes/notice.ts';
import { cycle } from '../shapes/renewal-line.ts';
import { lifetimeTotals, pagination } from '../shapes/totals.ts';

/** The share in force for renewals to come; no basis for any payout (document 2, applies_to future_renewals_only). */
export const currentRevenueShare = z.object({
  recipient_player_id: numericId,
  percent: ifFits(percent),
  applies_to: words,
  is_payout_basis: z.literal(false).nullish(),
  settled_by_invo: settledByInvo,
  note: words,
  updated_at: ifFits(instant),
});

/** The subscription as the detail reports name it. */
export const subscriptionHead = z.object({
  subscription_id: textId,
  status: words,
  item_id: ifFits(textId),
  item_name: words,
  current_amount_usd: ifFits(money),
  interval: words,
  interval_count: ifFits(count),
  created_at: ifFits(instant),
});

/**
 * The billing cycles of one subscription, newest first, never-paid ones included
 * (document 2, GET /api/subscriptions/reporting/subscriptions/{subscription_id}/attribution).
 */
export const subscriptionAttribution = z.object({
  status: words,
  attribution_notice: attributionNotice,
  subscription: subscriptionHead,
  current_revenue_share: maybe(currentRevenueShare),
  // Told apart: Invo gives none past its cap, and sums that cannot be read are neither none nor zero.
  lifetime_totals: z.union([maybe(lifetimeTotals), z.transform(() => 'unreadable' as const)]),
  periods: list(cycle, 100),
  pagination,
});

export type SubscriptionAttribution = z.infer<typeof subscriptionAttribution>;
