import type { Recipient, RefundEvent, RenewalLine, ReversalLine } from '../rules/evidence.ts';
import type { WindowRecipient } from '../rules/reconciliation/check-window.ts';

/** Columns that are filled from the field of the same name. */
export const RECIPIENT_COLUMNS = [
  'recipient_player_id',
  'resolved',
  'player_email',
  'player_name',
  'identity_id',
  'renewal_count',
  'reversal_count',
  'subscription_count',
  'gross_attributed_usd',
  'reversed_attributed_usd',
  'net_attributed_usd',
  'first_paid_at',
  'last_paid_at',
] as const satisfies (keyof Recipient)[];

export const RENEWAL_COLUMNS = [
  'period_id',
  'recipient_player_id',
  'paid_at',
  'subscription_id',
  'period_seq',
  'item_id',
  'item_name',
  'status',
  'period_start',
  'period_end',
  'amount_usd',
  'invo_fee_usd',
  'partner_revenue_usd',
  'partner_revenue_settled_usd',
  'partner_revenue_reversed_usd',
  'percent_at_renewal',
  'base_usd',
  'attributed_amount_usd',
  'base_matches_settled_fee',
  'expected_base_usd',
  'recorded_base_usd',
  'rail',
  'amount_coins',
  'balance_applied_coins',
  'card_charged_usd',
  'pcstore_charged_usd',
  'refunded_amount_usd',
  'refunded_at',
  'transaction_id',
  'mint_order_id',
] as const satisfies (keyof RenewalLine)[];

export const REVERSAL_COLUMNS = [
  'period_id',
  'recipient_player_id',
  'paid_at',
  'subscription_id',
  'period_seq',
  'status',
  'amount_usd',
  'originally_attributed_usd',
  'reversed_attributed_usd',
  'partner_revenue_reversed_usd',
  'refunded_to_date_usd',
  'latest_refund_at',
  'reversal_basis',
  'settled_in_this_window',
  'nets_to_zero_in_window',
  'note',
] as const satisfies (keyof ReversalLine)[];

export const EVENT_COLUMNS = [
  'refunded_at',
  'refunded_amount_usd',
  'cumulative_refunded_before_usd',
  'cumulative_refunded_after_usd',
  'reversed_attributed_usd',
  'partner_revenue_reversed_usd',
  'partner_revenue_reversal_basis',
  'is_full_refund',
] as const satisfies (keyof RefundEvent)[];

export const WINDOW_RECIPIENT_COLUMNS = [
  ...RECIPIENT_COLUMNS,
  'base_mismatch_count',
  'coarse_reversal_count',
  'earlier_reversed_usd',
  'nets_to_zero_count',
] as const satisfies (keyof WindowRecipient)[];
