import * as z from 'zod';
import { count, flag, ifFits, instant, maybe, money, percent, prose, words } from '../shapes/fields.ts';
import { attributionNotice } from '../shapes/notice.ts';
import { cycle } from '../shapes/renewal-line.ts';
import { periodRefunds } from '../shapes/reversal.ts';
import { currentRevenueShare, subscriptionHead } from './subscription.ts';

/** The two revenue legs of one period and the fees beside them. Null means not recorded, never zero; `partner_revenue_after_fees_usd` may be negative. */
const feeLegs = z.object({
  invo_fee_usd: maybe(money),
  invo_fee_percent: ifFits(percent),
  partner_revenue_usd: maybe(money),
  partner_revenue_settled_usd: maybe(money),
  partner_revenue_reversed_usd: maybe(money),
  partner_revenue_percent: ifFits(percent),
  partner_leg_reversed: flag,
  pass_through_fees_usd: maybe(money),
  chargeback_fees_usd: maybe(money),
  disputed_amount_held_usd: maybe(money),
  card_fee_charged_to_partner_usd: maybe(money),
  partner_revenue_after_fees_usd: maybe(money),
  source: words,
  note: words,
});

/** One billing period with its legs, refunds and charge (document 2, GET /api/subscriptions/reporting/periods/{period_id}). */
export const periodReport = z.object({
  status: words,
  attribution_notice: attributionNotice,
  subscription: ifFits(subscriptionHead),
  period: cycle,
  fee_legs: maybe(feeLegs),
  refunds: maybe(periodRefunds),
  charge: ifFits(
    z.object({ attempts_for_period: ifFits(count), paid_attempt_no: ifFits(count), paid_attempt_at: ifFits(instant), outcome: prose }),
  ),
  current_revenue_share: maybe(currentRevenueShare),
});

export type PeriodReport = z.infer<typeof periodReport>;
