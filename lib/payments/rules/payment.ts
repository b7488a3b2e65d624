import type { Window } from '#lib/core/window.ts';

/** How a recipient is paid. */
export const PAYMENT_METHODS = ['paypal', 'wise', 'sepa', 'wire_usd', 'ach', 'other'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** Methods that a bank executes on a day. */
export const BANK_METHODS: readonly PaymentMethod[] = ['sepa', 'wire_usd', 'ach'];

/** The layouts of payment files. */
export const PAYMENT_FORMATS = [
  'paypal_web',
  'paypal_api',
  'wise',
  'pain_001_09',
  'pain_001_03',
  'nacha_ppd',
  'nacha_ccd',
  'generic',
] as const;
export type PaymentFormat = (typeof PAYMENT_FORMATS)[number];

/** The layouts that can carry a method; the first is the default. ACH: PPD pays persons, CCD companies. */
export const METHOD_FORMATS: Readonly<Record<PaymentMethod, readonly PaymentFormat[]>> = {
  paypal: ['paypal_web', 'paypal_api'],
  wise: ['wise'],
  sepa: ['pain_001_09', 'pain_001_03'],
  wire_usd: ['pain_001_09', 'pain_001_03'],
  ach: ['nacha_ppd', 'nacha_ccd'],
  other: ['generic'],
};

/** Where a party lives, as a bank reads it: structured, never in free lines. */
export interface PostalAddress {
  /** null: none, or not known. */
  postCode: string | null;
  town: string;
  /** ISO 3166, two letters. */
  country: string;
}

/** An account at a bank: an IBAN, or a number where the country has none. Written without spaces. */
export type BankAccount = { iban: string } | { accountNumber: string };

export interface PaypalAccount {
  method: 'paypal';
  receiverKind: 'email' | 'payer_id';
  receiver: string;
}

export interface WiseAccount {
  method: 'wise';
  /** The recipient's ID in the partner's own Wise account; null: Wise finds them by their email. */
  wiseRecipientId: string | null;
  email: string | null;
  /** What helps to recognise the recipient in Wise; null: nothing. */
  detail: string | null;
  /** What arrives. For USD the exact amount arrives; otherwise the amount leaves in USD and Wise converts it, less its fee. */
  payeeCurrency: string;
}

export interface SepaAccount {
  method: 'sepa';
  iban: string;
  bic: string | null;
  address: PostalAddress | null;
}

export interface WireAccount {
  method: 'wire_usd';
  account: BankAccount;
  bic: string | null;
  address: PostalAddress | null;
}

export interface AchAccount {
  method: 'ach';
  /** Nine digits, the last one a check digit. */
  routingNumber: string;
  accountNumber: string;
  accountKind: 'checking' | 'savings';
}

/** Anything else, paid by hand from the generic file. */
export interface OtherAccount {
  method: 'other';
  paymentAddress: string;
  country: string | null;
}

export type PaymentAccount = PaypalAccount | WiseAccount | SepaAccount | WireAccount | AchAccount | OtherAccount;

/** One payment to one recipient. Amounts are exact decimal text in whole cents. */
export interface PaymentItem<Account extends PaymentAccount = PaymentAccount> {
  /** 1, 2, 3 … of its run. */
  itemNo: number;
  recipientId: number;
  /** Ten letters, see `payment-reference.ts`. */
  reference: string;
  /** As typed for the bank. */
  holderName: string;
  holderKind: 'person' | 'company';
  amount_usd: string;
  /** Of the file: EUR for SEPA, otherwise USD. */
  currency: string;
  /** In the file's currency. */
  amount: string;
  account: Account;
}

export interface PaypalSender {
  family: 'paypal';
  /** Follows the country of the partner's PayPal account. */
  decimalSign: '.' | ',';
  /** The subject of PayPal's email to recipients, only of the API's file; null: PayPal's own. */
  emailSubject: string | null;
}

export interface WiseSender {
  family: 'wise';
  /** The first line of the template that the partner downloaded from Wise. */
  templateHeader: string;
}

/** The partner's account for pain.001. */
export interface BankSender {
  family: 'bank';
  name: string;
  account: BankAccount;
  bic: string | null;
  address: PostalAddress | null;
  /** Whether the bank books one debit for the whole file. */
  isBatchBooked: boolean;
  /** The most payments in a file. */
  itemsMax: number;
}

/** The partner as an originator of ACH. */
export interface AchSender {
  family: 'ach';
  companyName: string;
  /** Ten letters assigned by the bank, often 1 and the tax number. */
  companyId: string;
  /** What recipients read, at most ten letters. */
  entryDescription: string;
  /** Nine or ten letters. */
  immediateOrigin: string;
  /** The partner's bank. */
  bankName: string;
  bankRoutingNumber: string;
  /** The partner's account, debited by a balanced file; null: the file is unbalanced and the bank debits it. */
  offset: Pick<AchAccount, 'routingNumber' | 'accountNumber' | 'accountKind'> | null;
  /** The most entries in a file, the debit of a balanced file included. */
  entriesMax: number;
}

/** Nothing to set for the generic file. */
export interface GenericSender {
  family: 'generic';
}

export type PaymentSender = PaypalSender | WiseSender | BankSender | AchSender | GenericSender;

/** The sender that a layout needs. */
export const FORMAT_FAMILY: Readonly<Record<PaymentFormat, PaymentSender['family']>> = {
  paypal_web: 'paypal',
  paypal_api: 'paypal',
  wise: 'wise',
  pain_001_09: 'bank',
  pain_001_03: 'bank',
  nacha_ppd: 'ach',
  nacha_ccd: 'ach',
  generic: 'generic',
};

/** What one file is besides its payments. All of it is stored, so that the same bytes can be written years later. */
export interface PaymentBatch {
  format: PaymentFormat;
  method: PaymentMethod;
  /** Installation, game and number of the batch, used once: the bank recognises a second upload by it. */
  batchId: string;
  gameId: number;
  game: string;
  environment: 'production' | 'sandbox';
  runId: number;
  runNo: number;
  /** The month that the run pays, `2026-10`. */
  month: string;
  window: Window;
  /** 1 of `partCount`. */
  partNo: number;
  partCount: number;
  /** 1, 2, 3 … of a run's re-issues; null: the run's own file. */
  reissueNo: number | null;
  /** Wall-clock time of the partner without a zone, `2026-11-04T09:30:00`: banks compare it with their own day. */
  createdAt: string;
  /** The day of payment, `2026-11-05`; null: the layout has none. */
  executionDate: string | null;
  /** A to Z or 0 to 9, used once per origin and day; null: the layout has none. */
  fileIdModifier: string | null;
  /** What recipients read beside the reference. */
  note: string;
  /** The rate that a person typed; null: the file is in USD. */
  rate: { usd_per_eur: string; source: string } | null;
}

/** A file before it is written: its batch, its sender and its payments in the order of item numbers. */
export interface PaymentFile<Sender extends PaymentSender = PaymentSender, Account extends PaymentAccount = PaymentAccount> {
  batch: PaymentBatch;
  sender: Sender;
  items: readonly PaymentItem<Account>[];
}
