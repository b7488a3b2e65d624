import { isIban } from './bank-accounts.ts';
import { listSettingBlockers } from './list-sender-blockers.ts';
import type { BankAccount, BankSender, PaymentSender, PostalAddress } from './payment.ts';
import { fileBlocker, type PaymentBlocker, type SenderSetting } from './payment-blocker.ts';

/** The payments that need an account or settings of the partner. */
export const SENDER_METHODS = ['paypal', 'wise', 'sepa', 'wire_usd', 'ach'] as const;
export type SenderMethod = (typeof SENDER_METHODS)[number];

const BANK_FIELDS = ['name', 'account', 'bic', 'town', 'post_code', 'country', 'batch_booking', 'items_max'] as const;

/** The entries of each method, in the order of a form. */
export const SENDER_METHOD_FIELDS = {
  paypal: ['decimal_sign', 'email_subject'],
  wise: ['template_header'],
  sepa: BANK_FIELDS,
  wire_usd: BANK_FIELDS,
  ach: [
    'company_name',
    'company_id',
    'entry_description',
    'immediate_origin',
    'bank_name',
    'bank_routing_number',
    'balanced',
    'offset_routing_number',
    'offset_account_number',
    'offset_account_type',
    'entries_max',
  ],
} as const satisfies Record<SenderMethod, readonly string[]>;
export type SenderField = (typeof SENDER_METHOD_FIELDS)[SenderMethod][number];

/** The entries of a sender account, which are sealed. */
export const SENDER_FIELDS: readonly SenderField[] = [...new Set(Object.values(SENDER_METHOD_FIELDS).flat())];

/** Entries as they were typed; a missing one is empty. */
export type TypedSender = Readonly<Partial<Record<SenderField, string>>>;

/** What bank and provider files hold at most where nobody set another number. */
const ITEMS_MAX = '5000';
const ENTRIES_MAX = '9999';

export interface CheckedSender {
  method: SenderMethod;
  sender: PaymentSender;
  /** What is sealed, without empty entries. */
  entries: TypedSender;
  /** The account as screens show it. */
  mask: string;
}

/** The field of a form that a setting is entered in. */
export const SETTING_FIELDS: Readonly<Record<SenderSetting, SenderField>> = {
  name: 'name',
  account: 'account',
  iban: 'account',
  bic: 'bic',
  address: 'town',
  items_max: 'items_max',
  email_subject: 'email_subject',
  company_name: 'company_name',
  company_id: 'company_id',
  entry_description: 'entry_description',
  immediate_origin: 'immediate_origin',
  bank_name: 'bank_name',
  bank_routing_number: 'bank_routing_number',
  offset_account: 'offset_account_number',
  entries_max: 'entries_max',
};

/** Checks the entries of a sender account against what every file of its method needs; every reason against it, empty never. */
export function checkSender(
  method: SenderMethod,
  typed: TypedSender,
): { ok: true; checked: CheckedSender } | { ok: false; blockers: PaymentBlocker[] } {
  const entries: Partial<Record<SenderField, string>> = {};
  for (const field of SENDER_METHOD_FIELDS[method]) {
    const text = (typed[field] ?? '').normalize('NFC').trim();
    if (text !== '') entries[field] = TIGHT.includes(field) ? text.replaceAll(/[\s-]/g, '').toUpperCase() : text;
  }
  if (method === 'wise' && entries.template_header === undefined)
    return { ok: false, blockers: [fileBlocker('column_missing', 'recipientId')] };
  const sender = readSender(method, entries);
  const blockers = listSettingBlockers(method, sender);
  return blockers.length > 0 ? { ok: false, blockers } : { ok: true, checked: { method, sender, entries, mask: maskSender(sender) } };
}

/** Entries whose spaces and hyphens mean nothing. */
const TIGHT: readonly SenderField[] = [
  'account',
  'bic',
  'country',
  'company_id',
  'immediate_origin',
  'bank_routing_number',
  'offset_routing_number',
  'offset_account_number',
];

/** A sender of its entries, as they were checked when it was proposed. */
export function readSender(method: SenderMethod, entries: TypedSender): PaymentSender {
  switch (method) {
    case 'paypal':
      return { family: 'paypal', decimalSign: entries.decimal_sign === ',' ? ',' : '.', emailSubject: entries.email_subject ?? null };
    case 'wise':
      return { family: 'wise', templateHeader: entries.template_header ?? '' };
    case 'sepa':
    case 'wire_usd':
      return readBank(entries);
    case 'ach':
      return {
        family: 'ach',
        companyName: entries.company_name ?? '',
        companyId: entries.company_id ?? '',
        entryDescription: entries.entry_description ?? '',
        immediateOrigin: entries.immediate_origin ?? '',
        bankName: entries.bank_name ?? '',
        bankRoutingNumber: entries.bank_routing_number ?? '',
        offset:
          entries.balanced === 'yes'
            ? {
                routingNumber: entries.offset_routing_number ?? '',
                accountNumber: entries.offset_account_number ?? '',
                accountKind: entries.offset_account_type === 'savings' ? 'savings' : 'checking',
              }
            : null,
        entriesMax: count(entries.entries_max ?? ENTRIES_MAX),
      };
  }
}

function readBank(entries: TypedSender): BankSender {
  const account = entries.account ?? '';
  const bankAccount: BankAccount = isIban(account) ? { iban: account } : { accountNumber: account };
  const isPlace = entries.town !== undefined || entries.country !== undefined;
  const address: PostalAddress | null = isPlace
    ? { postCode: entries.post_code ?? null, town: entries.town ?? '', country: entries.country ?? '' }
    : null;
  return {
    family: 'bank',
    name: entries.name ?? '',
    account: bankAccount,
    bic: entries.bic ?? null,
    address,
    isBatchBooked: entries.batch_booking !== 'no',
    itemsMax: count(entries.items_max ?? ITEMS_MAX),
  };
}

function count(text: string): number {
  return /^\d{1,6}$/.test(text) ? Number(text) : 0;
}

function maskSender(sender: PaymentSender): string {
  switch (sender.family) {
    case 'paypal':
      return sender.decimalSign === ',' ? 'Amounts as 120,35' : 'Amounts as 120.35';
    case 'wise':
      return 'Template of saved recipients';
    case 'bank':
      return `${sender.name} •••• ${('iban' in sender.account ? sender.account.iban : sender.account.accountNumber).slice(-4)}`;
    case 'ach':
      return `${sender.companyName}, ${sender.bankName}`;
    case 'generic':
      return 'None';
  }
}
