import * as z from 'zod';
import { storableText } from '#lib/core/typed-input.ts';
import { TOTAL_NAMES, TOTALS, type TotalName } from '#lib/evidence/rules/totals.ts';
import { count, flag, ifFits, instant, list, maybe, money, numericId, optionalText, percent, settledByInvo, textId } from './fields.ts';

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
  player_email: optionalText,
  player_name: optionalText,
  identity_id: maybe(textId),
});

const funding = z.object({
  amount_coins: maybe(money),
  balance_applied_coins: maybe(money),
  card_charged_usd: maybe(money),
  rail: optionalText,
  pcstore_charged_usd: maybe(money),
});

const lineFields = {
  period_id: numericId,
  subscription_id: textId,
  period_seq: maybe(count),
  item_id: maybe(textId),
  item_name: optionalText,
  status: optionalText,
  period_start: maybe(instant),
  period_end: maybe(instant),
  partner_leg_reversed: flag,
  funding: maybe(funding),
  refund: maybe(z.object({ refunded_amount_usd: maybe(money), refunded_at: maybe(instant) })),
  transaction_id: maybe(textId),
  mint_order_id: maybe(textId),
  attribution_unavailable_reason: optionalText,
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

// Far above what one period can honestly collect; it only bounds a lie.
const EVENTS_MAX = 10_000;

const eventFields = {
  refunded_at: instant,
  refunded_amount_usd: money,
  cumulative_refunded_before_usd: money,
  cumulative_refunded_after_usd: money,
  reversed_attributed_usd: money,
  partner_revenue_reversed_usd: maybe(money),
  partner_revenue_reversal_basis: optionalText,
  is_full_refund: z.boolean(),
  settled_by_invo: settledByInvo,
};

/** One refund of a period, as the report lists it under a reversal. */
const refundEvent = z.object(eventFields);

/**
 * One refund of a period, as the period's own page lists it: with its transaction, and without an attributed part where nothing was
 * attributed. One that is no receipt may lack what only a receipt knows: what was refunded before and after it, and whether it completes.
 */
const periodRefundEvent = z.object({
  ...eventFields,
  cumulative_refunded_before_usd: maybe(money),
  cumulative_refunded_after_usd: maybe(money),
  reversed_attributed_usd: maybe(money),
  refund_transaction_id: ifFits(textId),
  is_full_refund: flag,
});

/** What refunds inside the window took back from one attribution. `refunded_to_date_usd` and `latest_refund_at` are cumulative, for reference only. */
export const reversal = z.object({
  period_id: numericId,
  subscription_id: textId,
  period_seq: maybe(count),
  status: optionalText,
  paid_at: instant,
  settled_in_this_window: flag,
  amount_usd: maybe(money),
  originally_attributed_usd: money,
  refunded_to_date_usd: maybe(money),
  latest_refund_at: maybe(instant),
  reversed_attributed_usd: money,
  partner_revenue_reversed_usd: maybe(money),
  refund_events: list(refundEvent, EVENTS_MAX),
  reversal_basis: z.string().transform(storableText),
  nets_to_zero_in_window: flag,
  note: optionalText,
  settled_by_invo: settledByInvo,
});

/** The refunds of one period and the source of the figures. Where Invo reports their sum, the list or the running totals can be missing. */
export const periodRefunds = z
  .object({
    refund_count: ifFits(count),
    refunded_to_date_usd: maybe(money),
    latest_refund_at: ifFits(instant),
    basis: optionalText,
    events: maybe(list(periodRefundEvent, EVENTS_MAX)),
  })
  .transform(({ events, ...rest }, context) => {
    const isSummed = events !== null && events.every((event) => event.cumulative_refunded_after_usd !== null);
    if (!isSummed && rest.refunded_to_date_usd === null)
      context.addIssue({ code: 'custom', path: ['events'], message: 'expected the sum, or a list it follows from' });
    return { ...rest, events: events ?? [] };
  });

/**
 * The notice on every reporting response: five values that may not differ, and prose.
 * Another value means that someone else may be paying recipients (document 2, attribution notice).
 */
export const attributionNotice = z.object({
  settled_by_invo: z.literal(false),
  invo_has_paid_no_recipient: z.literal(true),
  document_type: z.literal('attribution_report'),
  not_a_remittance_advice: z.literal(true),
  payer: z.literal('partner'),
  statement: optionalText,
});

const SHAPES = { count, money, reasons: z.record(z.string().regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u), count), window_count: count };

const totalsFields = { ...shapesOfTotals(), settled_by_invo: settledByInvo };

/** Guarantee of the cast: each total has the shape of its kind. */
function shapesOfTotals(): { [Name in TotalName]: (typeof SHAPES)[(typeof TOTALS)[Name]] } {
  return Object.fromEntries(TOTAL_NAMES.map((name) => [name, SHAPES[TOTALS[name]]])) as ReturnType<typeof shapesOfTotals>;
}

/** Invo's own sums over a window, for the whole game: never paginated, and accumulated before any filter by recipient. Reasons it may add later are included. */
export const totals = z.object(totalsFields);

/** The same sums over the whole life of one subscription, with the recipients it ever had. */
export const lifetimeTotals = z.object({
  ...totalsFields,
  recipient_count: maybe(count),
  recipient_player_ids: maybe(list(numericId, 20_000)),
});

/** The position of a page in its list. `limit` is null when Invo does not repeat it. */
export const pagination = z.object({ total_count: count, limit: maybe(count), offset: count, has_more: z.boolean() });
