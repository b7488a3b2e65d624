import type { SenderField, SenderMethod } from './sender-entries.ts';

/** The labels of the entries of a sender account. */
export const SENDER_FIELD_TEXT: Readonly<Record<SenderField, string>> = {
  decimal_sign: 'Decimal sign',
  email_subject: 'Email subject',
  template_header: 'Header of the Wise template',
  name: 'Account holder',
  account: 'IBAN or account number',
  bic: 'BIC',
  town: 'Town',
  post_code: 'Postal code',
  country: 'Country',
  batch_booking: 'Debits on your statement',
  items_max: 'Payments per file',
  company_name: 'Company name',
  company_id: 'Company ID',
  entry_description: 'Entry description',
  immediate_origin: 'Immediate origin',
  bank_name: 'Bank',
  bank_routing_number: 'Routing number of the bank',
  balanced: 'Offset entry',
  offset_routing_number: 'Routing number to debit',
  offset_account_number: 'Account number to debit',
  offset_account_type: 'Type of the account to debit',
  entries_max: 'Entries per file',
};

/** The hint below an entry; those of one method first. */
const SENDER_HINTS: Readonly<Partial<Record<SenderField | `${SenderMethod}.${SenderField}`, string>>> = {
  decimal_sign: 'Of amounts, as PayPal expects it in the country of your PayPal account.',
  email_subject: 'Optional. The subject of PayPal’s email to recipients.',
  template_header: 'The first line of the batch template that you download from Wise.',
  name: 'As your bank knows it. At most 70 letters.',
  'sepa.account': 'An IBAN.',
  'wire_usd.account': 'An IBAN or an account number.',
  'sepa.bic': 'Optional for accounts in the European Economic Area.',
  'sepa.town': 'Optional for accounts in the European Economic Area.',
  'sepa.country': 'Two letters, such as DE.',
  'wire_usd.country': 'Two letters, such as US.',
  post_code: 'Optional.',
  batch_booking: 'What your bank debits for a file.',
  items_max: 'Optional. 5,000 unless your bank has another limit.',
  company_name: 'At most 16 letters, as your bank registered it.',
  company_id: 'Ten letters or digits, from your bank.',
  entry_description: 'At most ten letters. Some banks require PAYROLL for payments to persons.',
  immediate_origin: 'Nine or ten letters or digits, from your bank.',
  bank_name: 'At most 23 letters.',
  bank_routing_number: 'Nine digits.',
  balanced: 'Debits your account in the same file, if your bank requires it.',
  offset_routing_number: 'Only with an offset entry.',
  offset_account_number: 'Only with an offset entry.',
  offset_account_type: 'Only with an offset entry.',
  entries_max: 'Optional. 9,999 unless your bank has another limit.',
};

/** The hint below an entry of a method. */
export function senderHint(method: SenderMethod, field: SenderField): string | undefined {
  return SENDER_HINTS[`${method}.${field}`] ?? SENDER_HINTS[field];
}

/** The choices of an entry that isn't typed: what is stored, and what it means. */
export const SENDER_CHOICES: Readonly<Partial<Record<SenderField, readonly (readonly [string, string])[]>>> = {
  decimal_sign: [
    ['.', 'Point: 120.35'],
    [',', 'Comma: 120,35'],
  ],
  batch_booking: [
    ['yes', 'One for the file'],
    ['no', 'One for each payment'],
  ],
  balanced: [
    ['no', 'None: the bank debits the account itself'],
    ['yes', 'In the file: it debits the account below'],
  ],
  offset_account_type: [
    ['checking', 'Checking'],
    ['savings', 'Savings'],
  ],
};
