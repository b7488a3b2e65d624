import type { PaymentItem } from './payment.ts';

/** Why a file isn't written. First what concerns the whole file, then what concerns one payment. */
export const BLOCKER_REASONS = [
  'sandbox',
  'no_payments',
  'method_in_other_layout',
  'sender_missing',
  'sender_setting',
  'execution_date_missing',
  'execution_date_past',
  'execution_date_weekend',
  'execution_date_closed',
  'modifier_missing',
  'rate_missing',
  'note_not_writable',
  'note_too_long',
  'note_is_formula',
  'note_names_account',
  'column_unknown',
  'column_missing',
  'column_twice',
  'mixed_recipient_types',
  'too_many_payments',
  'total_above_limit',
  'details_changed',
  'details_unreadable',
  'reported_paid',
  'not_in_order',
  'reference_differs',
  'other_method',
  'other_holder_kind',
  'amount_not_payable',
  'amount_differs',
  'rounds_to_zero',
  'amount_above_limit',
  'name_empty',
  'name_not_writable',
  'name_too_long',
  'name_is_formula',
  'account_not_valid',
  'country_outside_sepa',
  'bic_missing',
  'bic_not_valid',
  'address_missing',
  'address_not_valid',
] as const;
export type BlockerReason = (typeof BLOCKER_REASONS)[number];

/** Settings of a sender that a file needs. */
export const SENDER_SETTINGS = [
  'name',
  'account',
  'iban',
  'bic',
  'address',
  'items_max',
  'email_subject',
  'company_name',
  'company_id',
  'entry_description',
  'immediate_origin',
  'bank_name',
  'bank_routing_number',
  'offset_account',
  'entries_max',
] as const;
export type SenderSetting = (typeof SENDER_SETTINGS)[number];

/** One reason against writing a file. */
export interface PaymentBlocker {
  reason: BlockerReason;
  /** The payment that it concerns; null: the whole file. */
  item: Pick<PaymentItem, 'itemNo' | 'recipientId' | 'reference'> | null;
  /** What the sentence names besides: a setting, a column, letters, a limit. Empty: nothing. */
  detail: string;
}

/** The setting of a sender that a blocker names; null: it is about something else. */
export function parseSenderSetting({ reason, detail }: PaymentBlocker): SenderSetting | null {
  return reason === 'sender_setting' ? (SENDER_SETTINGS.find((each) => each === detail) ?? null) : null;
}

/** A blocker of the whole file. */
export function fileBlocker(reason: BlockerReason, detail: string = ''): PaymentBlocker {
  return { reason, item: null, detail };
}

/** A blocker of one payment. */
export function itemBlocker(
  reason: BlockerReason,
  { itemNo, recipientId, reference }: Pick<PaymentItem, 'itemNo' | 'recipientId' | 'reference'>,
  detail: string = '',
): PaymentBlocker {
  return { reason, item: { itemNo, recipientId, reference }, detail };
}
