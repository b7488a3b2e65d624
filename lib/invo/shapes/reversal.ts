import * as z from 'zod';
import { storableText } from '#lib/core/storable-text.ts';
import { count, flag, ifFits, instant, list, maybe, money, numericId, settledByInvo, textId, words } from './fields.ts';

// Far above what one period can honestly collect; it only bounds a lie.
const EVENTS_MAX = 10_000;

const eventFields = {
  refunded_at: instant,
  refunded_amount_usd: money,
  cumulative_refunded_before_usd: money,
  cumulative_refunded_after_usd: money,
  reversed_attributed_usd: money,
  partner_revenue_reversed_usd: maybe(money),
  partner_revenue_reversal_basis: words,
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
  status: words,
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
  note: words,
  settled_by_invo: settledByInvo,
});

/** The refunds of one period with where the figures come from. Where their sum is told, the list or what was refunded after each may be left out. */
export const periodRefunds = z
  .object({
    refund_count: ifFits(count),
    refunded_to_date_usd: maybe(money),
    latest_refund_at: ifFits(instant),
    basis: words,
    events: maybe(list(periodRefundEvent, EVENTS_MAX)),
  })
  .transform(({ events, ...told }, context) => {
    const isSummed = events !== null && events.every((event) => event.cumulative_refunded_after_usd !== null);
    if (!isSummed && told.refunded_to_date_usd === null)
      context.addIssue({ code: 'custom', path: ['events'], message: 'expected a list that tells the sum, or the sum' });
    return { ...told, events: events ?? [] };
  });
