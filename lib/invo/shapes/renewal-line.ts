import * as z from 'zod';
import { count, flag, ifFits, instant, maybe, money, numericId, percent, settledByInvo, textId, words } from './fields.ts';

const attributionFields = {
  recipient_player_id: numericId,
  percent_at_renewal: percent,
  base_usd: money,
  attributed_amount_usd: money,
  settled_by_invo: settledByInvo,
};

/** Who a recipient is: the player id always, the rest null when the player record cannot be found. */
export const recipientIdentity = z.object({
  player_id: numericId,
  resolved: flag,
  player_email: words,
  player_name: words,
  identity_id: maybe(textId),
});

const funding = z.object({
  amount_coins: maybe(money),
  balance_applied_coins: maybe(money),
  card_charged_usd: maybe(money),
  rail: words,
  pcstore_charged_usd: maybe(money),
});

const lineFields = {
  period_id: numericId,
  subscription_id: textId,
  period_seq: maybe(count),
  item_id: maybe(textId),
  item_name: words,
  status: words,
  period_start: maybe(instant),
  period_end: maybe(instant),
  partner_leg_reversed: flag,
  funding: maybe(funding),
  refund: maybe(z.object({ refunded_amount_usd: maybe(money), refunded_at: maybe(instant) })),
  transaction_id: maybe(textId),
  mint_order_id: maybe(textId),
  attribution_unavailable_reason: words,
  settled_by_invo: settledByInvo,
  reconciliation: maybe(
    z.object({ checked: flag, expected_base_usd: maybe(money), recorded_base_usd: maybe(money), base_matches_settled_fee: flag }),
  ),
};

const moneyFields = {
  paid_at: instant,
  amount_usd: money,
  invo_fee_usd: money,
  partner_revenue_usd: money,
  partner_revenue_settled_usd: money,
  partner_revenue_reversed_usd: money,
};

/** A settled renewal under its recipient in a report: everything money depends on must be there. */
export const renewalLine = z.object({ ...lineFields, ...moneyFields, attribution: z.object(attributionFields) });

/**
 * A billing cycle of one subscription: a settled renewal, or a cycle never paid, whose amounts and attribution are null. One with an
 * attribution has all its amounts, and so has a paid one, unless Invo says why nothing is attributed: its record may be out of reach.
 */
export const cycle = z
  .object({
    ...lineFields,
    item_id: ifFits(textId),
    period_start: ifFits(instant),
    refund: maybe(z.object({ refunded_amount_usd: maybe(money), refunded_at: ifFits(instant) })),
    transaction_id: ifFits(textId),
    mint_order_id: ifFits(textId),
    reconciliation: ifFits(lineFields.reconciliation),
    paid_at: maybe(instant),
    amount_usd: maybe(money),
    invo_fee_usd: maybe(money),
    partner_revenue_usd: maybe(money),
    partner_revenue_settled_usd: maybe(money),
    partner_revenue_reversed_usd: maybe(money),
    attribution: maybe(z.object({ ...attributionFields, recipient: ifFits(recipientIdentity) })),
  })
  .superRefine((line, context) => {
    const isExcused = line.paid_at === null || (line.attribution_unavailable_reason ?? '') !== '';
    if (line.attribution === null && isExcused) return;
    for (const field of Object.keys(moneyFields) as (keyof typeof moneyFields)[]) {
      if (line[field] === null) context.addIssue({ code: 'custom', path: [field], message: 'expected on a paid cycle' });
    }
  });

export type Cycle = z.infer<typeof cycle>;
