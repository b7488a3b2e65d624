import * as z from 'zod';

/*
 * The JSON columns of refunds. Every value is parsed here before it is used. A value without `version` has version 1; all rows so far have
 * it. Digests cover the JSON as stored, never the parsed value, so parsing may add defaults but a stored value is never rewritten.
 */

const text = z.string();
const textOrNull = text.nullable();
const optionalText = textOrNull.default(null);

/** One refund event of a period, as Invo's period report returns it. */
export type PeriodRefund = z.infer<typeof periodRefund>;

const periodRefund = z.object({
  refunded_at: text,
  refunded_amount_usd: text,
  cumulative_refunded_before_usd: textOrNull,
  cumulative_refunded_after_usd: textOrNull,
  is_full_refund: z.boolean().nullable(),
  refund_transaction_id: textOrNull,
  reversed_attributed_usd: textOrNull,
  partner_revenue_reversed_usd: textOrNull,
});

/** The facts of a period that a refund depends on, in Invo's names. Amounts are decimal text; null means not recorded, never zero. */
export type PeriodFacts = z.infer<typeof period>;

const period = z.object({
  period_id: z.number(),
  subscription_id: text,
  period_seq: z.number().nullable(),
  item_name: textOrNull,
  status: textOrNull,
  period_start: textOrNull,
  period_end: textOrNull,
  paid_at: textOrNull,
  amount_usd: textOrNull,
  invo_fee_usd: textOrNull,
  partner_revenue_settled_usd: textOrNull,
  partner_revenue_reversed_usd: textOrNull,
  /** Of a chargeback: its fees, and what is held while the charge is disputed. Older rows lack both. */
  chargeback_fees_usd: optionalText,
  disputed_amount_held_usd: optionalText,
  rail: textOrNull,
  card_charged_usd: textOrNull,
  pcstore_charged_usd: textOrNull,
  balance_applied_coins: textOrNull,
  /** False: Invo reported no refund fields, so `refunded_to_date_usd` is a default and not a fact. Older rows were written only with them. */
  refunds_told: z.boolean().default(true),
  /** Why the period has no attribution; null when it has one, or Invo gives no reason. Older rows lack it. */
  attribution_unavailable_reason: optionalText,
  refunded_to_date_usd: text,
  refund_count: z.number().nullable(),
  latest_refund_at: textOrNull,
  refund_basis: textOrNull,
  events: z.array(periodRefund),
  attribution: z
    .object({
      recipient_player_id: z.number(),
      percent_at_renewal: textOrNull,
      attributed_amount_usd: text,
      reversed_attributed_usd: textOrNull,
    })
    .nullable(),
});

/** A period with the player's access and wallet. Null where Invo couldn't be read or doesn't report it. */
export type RefundFacts = z.infer<typeof facts>;

const facts = z.object({
  period,
  subscription: z.object({ status: textOrNull, paid_through: textOrNull, player_id: z.number().nullable() }).nullable(),
  /** The latest end of another paid period that still grants access; `instant` is null when there is none, the whole value when unknown. */
  otherPaidUntil: z.object({ instant: textOrNull }).nullable(),
  wallets: z.array(z.object({ currency_name: textOrNull, available_balance: text })).nullable(),
  read_at: text,
});

/** The expected effects of a refund, in Invo's names where its receipt has the figure. Null: can't be determined from the known facts. */
export type RefundEstimate = z.infer<typeof estimate>;

const estimate = z.object({
  refunded_amount_usd: text,
  total_refunded_amount_usd: text,
  remaining_refundable_usd: text,
  /** It completes the period. Only then is the card refunded. */
  is_full_refund: z.boolean(),
  card_refunded_usd: textOrNull,
  balance_delta_coins: textOrNull,
  wallets: z.array(z.object({ currency_name: textOrNull, before: text, after: textOrNull })).nullable(),
  /** Whether the wallet goes below zero; null when the balance or the coins are unknown. */
  wallet_below_zero: z.boolean().nullable(),
  partner_revenue_reversed_usd: textOrNull,
  partner_revenue_reversal_mode: z.enum(['full', 'prorata']),
  card_fee_charged_to_partner_usd: textOrNull,
  invo_fee_retained_usd: textOrNull,
  recipient: z.object({ recipient_player_id: z.number(), original_usd: text, refunded_usd: text, net_usd: text }).nullable(),
  /** The month, in the game's reporting time zone, whose report will contain the reversal. */
  reversal_month: text,
  access: z.object({ until_before: textOrNull, until_after: textOrNull }).nullable(),
});

/** A receipt as stored, in Invo's names; null means not recorded. */
export type StoredReceipt = z.infer<typeof receipt>;

const receipt = z.object({
  refunded_amount_usd: optionalText,
  total_refunded_amount_usd: optionalText,
  remaining_refundable_usd: optionalText,
  is_full_refund: z.boolean().nullable().default(null),
  funding_shape: optionalText,
  balance_delta_coins: optionalText,
  card_refunded_usd: optionalText,
  processor_refund_reference: optionalText,
  processor_refund_adopted: z.boolean().nullable().default(null),
  invo_fee_retained: z.boolean().nullable().default(null),
  partner_revenue_reversed_usd: optionalText,
  partner_revenue_reversal_mode: optionalText,
  card_fee_charged_to_partner_usd: optionalText,
  refunded_at: optionalText,
  new_balance: optionalText,
  revenue_share_attribution: z
    .object({
      recipient_player_id: z.number(),
      original_attributed_amount_usd: textOrNull,
      refunded_attributed_amount_usd: textOrNull,
      net_attributed_amount_usd: textOrNull,
    })
    .nullable()
    .default(null),
});

/** A receipt of which Invo reports nothing. */
export const NOTHING_REPORTED: StoredReceipt = receipt.parse({});

/** The facts stored with a refund. Throws for JSON of an unknown version or shape, as do all functions of this file. */
export function parseStoredFacts(json: unknown): RefundFacts {
  return parse('facts', { 1: facts }, json);
}

/** The facts of a period stored with a reading. */
export function parseStoredPeriod(json: unknown): PeriodFacts {
  return parse('period', { 1: period }, json);
}

/** The estimate stored with a refund. */
export function parseStoredEstimate(json: unknown): RefundEstimate {
  return parse('estimate', { 1: estimate }, json);
}

/** The receipt stored with a refund; null: none. */
export function parseStoredReceipt(json: unknown): StoredReceipt | null {
  return json === null ? null : parse('receipt', { 1: receipt }, json);
}

/** The fields of Invo's answer stored with an attempt. These are Invo's own names and have no version. */
export function parseStoredAnswer(json: unknown): Record<string, string> {
  return json === null ? {} : z.record(text, text).parse(json);
}

/** The detail of an audit row. */
export function parseStoredDetail(json: unknown): Record<string, unknown> {
  return z.record(text, z.unknown()).parse(json);
}

const versioned = z.object({ version: z.int().default(1) });

function parse<Value>(name: string, schemas: Record<number, z.ZodType<Value>>, json: unknown): Value {
  const { version } = versioned.parse(json);
  const schema = schemas[version];
  if (schema === undefined) throw new Error(`stored ${name} of unknown version ${version}`);
  return schema.parse(json);
}
