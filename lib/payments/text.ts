import { absoluteMoney, compareMoney, formatMoney, subtractMoney } from '../core/money.ts';
import type { ItemState } from './rules/item-state.ts';
import type { ListedReason } from './rules/match-rows.ts';
import type { PaymentFormat, PaymentMethod } from './rules/payment.ts';
import type { BlockerReason, PaymentBlocker, SenderSetting } from './rules/payment-blocker.ts';
import type { ReportKind } from './rules/report-row.ts';
import type { ReportedState } from './rules/reported-states.ts';

/** What the person who downloads a payment file must know. */
export const UPLOAD_ONCE = 'Downloading again gives the same bytes. Upload it once: two uploads pay twice.';

/** Why a sandbox game has no payment files. */
export const SANDBOX_TEXT = 'A sandbox game has no payment files, because its money isn’t real.';

/** The states of a payment. */
export const ITEM_STATE_TEXT: Readonly<Record<ItemState, string>> = {
  proposed: 'Re-issue proposed',
  withdrawn: 'Re-issue withdrawn',
  waiting: 'Not in a file',
  in_file: 'In a file',
  sent: 'Handed over',
  pending: 'Pending',
  paid: 'Paid',
  failed: 'Failed',
  returned: 'Returned',
  cancelled: 'File cancelled',
  reissued: 'Re-issued',
  to_balance: 'In a later run',
};

/** What a report states of a payment, in its story. */
export const REPORTED_TEXT: Readonly<Record<ReportedState, string>> = {
  paid: 'The provider reports it as paid.',
  pending: 'The provider reports it as pending.',
  failed: 'The provider reports that it failed.',
  returned: 'The provider reports that it was returned.',
};

/** The layouts of reports. */
export const REPORT_KIND_TEXT: Readonly<Record<ReportKind, string>> = {
  paypal_activity: 'PayPal activity',
  paypal_batch: 'PayPal batch details',
  wise_statement: 'Wise statement',
  camt_053: 'camt.053',
  camt_054: 'camt.054',
  pain_002: 'pain.002',
  nacha_returns: 'NACHA returns',
  generic: 'CSV with references',
  pasted: 'Pasted lines',
};

/** Why a row confirms nothing, without its cells. */
export const LISTED_TEXT: Readonly<Record<ListedReason, string>> = {
  foreign: 'No payment of this game',
  two_references: 'Names two payments',
  differs: 'Amount or currency differs',
  unreadable: 'Amount or date can’t be read',
  unknown_word: 'Unknown status',
  not_handed_over: 'Its file wasn’t handed over',
  paid_twice: 'May be paid twice',
  returned_in_part: 'Less was returned than was paid',
  returned_more: 'More was returned than was paid',
  total_differs: 'Total differs from the file',
  replaced: 'About a payment that was replaced',
  dates_contradict: 'Its date contradicts another row',
  before_file: 'Dated before its file was created',
  mistyped: 'Reference may be mistyped',
};

/** Why a row confirms nothing: of one that can't be read, whether its amount or its date. `hasAmounts`: its layout has them. */
export function formatListed({
  problem,
  amount,
  hasAmounts,
}: {
  problem: ListedReason;
  amount: string | null;
  hasAmounts: boolean;
}): string {
  if (problem !== 'unreadable') return LISTED_TEXT[problem];
  return amount === null && hasAmounts ? 'Amount can’t be read' : 'Date is missing, unreadable, in the future or over ten years old';
}

/** How a payment is, or was, paid. */
export const PAYMENT_METHOD_TEXT: Readonly<Record<PaymentMethod | 'elsewhere', string>> = {
  paypal: 'PayPal',
  wise: 'Wise',
  sepa: 'SEPA transfer',
  wire_usd: 'USD wire',
  ach: 'ACH',
  other: 'Other',
  elsewhere: 'Paid elsewhere',
};

/** Of a file from before a restore that isn't handed over, while its cancellation or a void is requested, or for who can't cancel it. */
export const ASK_IF_UPLOADED =
  'The database was restored after this file was created, so someone may have uploaded it. Ask your bank or provider. If it was uploaded, its hand-over must be recorded.';

/** The same for who can cancel it now. */
export const MAY_BE_UPLOADED =
  'The database was restored after this file was created, so someone may have uploaded it. Ask your bank or provider. If it was uploaded, record its hand-over. If not, cancel it and create a new one.';

/** The layouts of payment files, as people choose them. */
export const FORMAT_TEXT: Readonly<Record<PaymentFormat, string>> = {
  paypal_web: 'PayPal Payouts CSV',
  paypal_api: 'PayPal Payouts API JSON',
  wise: 'Wise batch CSV',
  pain_001_09: 'pain.001.001.09',
  pain_001_03: 'pain.001.001.03',
  nacha_ppd: 'NACHA PPD',
  nacha_ccd: 'NACHA CCD',
  generic: 'Generic CSV',
};

/** Settings of a sender in a sentence. */
export const SENDER_SETTING_TEXT: Readonly<Record<SenderSetting, string>> = {
  name: 'a name of at most 70 letters',
  account: 'an account number or IBAN',
  iban: 'a valid IBAN',
  bic: 'a valid BIC',
  address: 'a town and a country',
  items_max: 'the number of payments per file',
  email_subject: 'an email subject of at most 255 letters',
  company_name: 'a company name of at most 16 letters',
  company_id: 'a company ID of ten letters or digits',
  entry_description: 'an entry description of at most ten letters',
  immediate_origin: 'an immediate origin of nine or ten letters or digits',
  bank_name: 'a bank name of at most 23 letters',
  bank_routing_number: 'a valid routing number of your bank',
  offset_account: 'a valid account to debit',
  entries_max: 'the number of entries per file',
};

/** Guarantee of the cast: a blocker with this reason carries a setting as its detail. */
function settingOf(detail: string): string {
  return SENDER_SETTING_TEXT[detail as SenderSetting];
}

/** Why a payment file can't be created, without the payment's name. */
const BLOCKER_TEXT: Readonly<Record<BlockerReason, string | ((detail: string) => string)>> = {
  sandbox: SANDBOX_TEXT,
  no_payments: 'There are no payments for this file.',
  method_in_other_layout: 'This format can’t carry this payment method. Choose another format.',
  sender_missing: 'No sender account is confirmed for this payment method. Add it under Sender accounts.',
  sender_setting: (detail) => `The sender account needs ${settingOf(detail)}. Change it under Sender accounts.`,
  execution_date_missing: 'Enter the execution date.',
  execution_date_past: 'The execution date is in the past. Enter today or a later day.',
  execution_date_weekend: 'Banks execute no payments on a Saturday or Sunday. Enter a workday.',
  execution_date_closed:
    'Banks execute no SEPA payments on 1 January, Good Friday, Easter Monday, 1 May, 25 and 26 December. Enter another day.',
  modifier_missing: 'All 36 file ID modifiers of this origin are used today. Create the file tomorrow.',
  rate_missing:
    'This run was approved without a EUR rate. Record these payments as paid elsewhere, or have payment details by another method confirmed and re-issue them.',
  note_not_writable: (detail) => `Banks can’t write these characters of the note: ${detail}. Change the note.`,
  note_too_long: (detail) => `Shorten the note to at most ${detail} characters.`,
  note_is_formula: 'A spreadsheet would read the note as a formula. Start it with a letter.',
  note_names_account: 'Remove the account from the note: all recipients of the file could read it.',
  column_unknown: (detail) => `Sharebook doesn’t know the column “${detail}” of the Wise template. Paste the header of another template.`,
  column_missing: (detail) => `The Wise template has no column “${detail}”. Paste the header of another template.`,
  column_twice: (detail) => `The Wise template has the column “${detail}” twice. Paste its header again.`,
  mixed_recipient_types: 'A PayPal file holds either email addresses or payer IDs. Create one file for each.',
  too_many_payments: (detail) => `This format holds at most ${detail} payments per file. Split them.`,
  total_above_limit: (detail) => `The total is above this format’s limit of ${detail}. Split the payments.`,
  details_changed:
    'The payment details changed since the run was approved. Re-issue the payment to the details in force, or record it as paid elsewhere.',
  details_unreadable: 'The payment details don’t open with this key. Set SHAREBOOK_PAYEE_KEY to the key that sealed them.',
  reported_paid:
    'A bank report may show this recipient as paid. Decide its row under Bank reports first. If it was paid, record this one as paid elsewhere or propose an adjustment.',
  not_in_order: 'The payment is out of order or appears twice.',
  reference_differs: 'The payment reference belongs to another payment.',
  other_method: 'The recipient’s payment details name another method.',
  other_holder_kind: 'PPD files pay persons and CCD files pay companies. Move the payment to the other file.',
  amount_not_payable: 'The amount isn’t a whole number of cents above zero.',
  amount_differs: (detail) => `The amount in the file must be ${detail}.`,
  rounds_to_zero: 'The amount rounds to 0.00 EUR. Record this payment as paid elsewhere.',
  amount_above_limit: (detail) => `The amount is above this format’s limit of ${detail}.`,
  name_empty: 'The account holder’s name is empty.',
  name_not_writable: (detail) =>
    `Banks can’t write these characters of the account holder’s name: ${detail}. Enter the name in Latin letters.`,
  name_too_long: (detail) => `Shorten the account holder’s name to at most ${detail} letters.`,
  name_is_formula: 'A spreadsheet would read the account holder’s name as a formula. Start it with a letter.',
  account_not_valid: 'The account isn’t valid. Correct the payment details.',
  country_outside_sepa: (detail) => `SEPA doesn’t reach the account’s country ${detail}. Pay by wire instead.`,
  bic_missing: 'The bank’s BIC is missing. Wires and accounts outside the EEA need one.',
  bic_not_valid: 'The bank’s BIC isn’t valid. Correct the payment details.',
  address_missing: 'The recipient’s town and country are missing. A wire needs both.',
  address_not_valid: 'Enter the recipient’s town in Latin letters and the country as two letters.',
};

/** One sentence that says what blocks a payment file; it names the payment and its recipient where it concerns one. `name`: of the recipient; null: not reported. */
export function formatPaymentBlocker({ reason, item, detail }: PaymentBlocker, name: string | null = null): string {
  const text = BLOCKER_TEXT[reason];
  const sentence = typeof text === 'string' ? text : text(detail);
  return item === null ? sentence : `Payment ${item.reference} to ${name ?? `player ${item.recipientId}`}: ${sentence}`;
}

/** What accepting a row does whose amount isn't that of its payment; null: they are equal or can't be compared. */
export function formatAcceptedDifference({
  amount,
  currency,
  payment,
  state,
}: {
  amount: string | null;
  currency: string | null;
  payment: { amount: string; currency: string } | null;
  state: ReportedState | null;
}): string | null {
  if (payment === null || amount === null || currency !== payment.currency || compareMoney(amount, payment.amount) === 0) return null;
  const whole = `${formatMoney(payment.amount)} ${currency}`;
  const stated = `${formatMoney(amount)} ${currency}`;
  const difference = `${formatMoney(absoluteMoney(subtractMoney(payment.amount, amount)))} ${currency}`;
  if (state === 'returned' && compareMoney(amount, payment.amount) < 0)
    return `The whole payment of ${whole} then counts as returned and is due again. ${stated} came back: the journal posts the other ${difference} to bank fees on returned payments.`;
  if (state === 'paid')
    return `The payment then counts as paid with ${whole}, which the journal posts. The report states ${stated}: post the difference of ${difference} in your books.`;
  return `The whole payment of ${whole} then counts as the row states, although the row is about ${stated}.`;
}
