import * as z from 'zod';
import { count, list, maybe, money, numericId, settledByInvo, words } from './fields.ts';

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
  statement: words,
});

const totalsFields = {
  renewals_settled: count,
  settled_gross_usd: money,
  invo_fee_usd: money,
  partner_revenue_settled_usd: money,
  partner_revenue_reversed_usd: money,
  partner_revenue_usd: money,
  renewals_with_attribution: count,
  renewals_without_attribution: count,
  unattributed_reasons: z.record(z.string().regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u), count),
  gross_attributed_usd: money,
  reversed_attributed_usd: money,
  net_attributed_usd: money,
  renewals_settled_then_fully_reversed: count,
  refund_events_in_window: count,
  reversals_without_receipts: count,
  recipient_count: count,
  settled_by_invo: settledByInvo,
};

/** Invo's own sums over a window, for the whole game: never paginated, and accumulated before any filter by recipient. Reasons it may add later are kept. */
export const totals = z.object(totalsFields);

/** The same sums over the whole life of one subscription, with the recipients it ever had. */
export const lifetimeTotals = z.object({
  ...totalsFields,
  recipient_count: maybe(count),
  recipient_player_ids: maybe(list(numericId, 20_000)),
});

/** The position of a page in its list. `limit` is null when Invo does not repeat it. */
export const pagination = z.object({ total_count: count, limit: maybe(count), offset: count, has_more: z.boolean() });
