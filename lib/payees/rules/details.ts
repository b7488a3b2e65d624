/** How a recipient is paid. `none`: not at all, until other details are confirmed. */
export const METHODS = ['paypal', 'wise', 'sepa', 'wire_usd', 'ach', 'other', 'none'] as const;
export type Method = (typeof METHODS)[number];

/** Who holds an account. */
export const HOLDER_KINDS = ['person', 'company'] as const;
export type HolderKind = (typeof HOLDER_KINDS)[number];

/** The entries of payment details, which are sealed. They are also the columns of an import, beside the recipient and the method. */
export const DETAIL_FIELDS = [
  'holder_kind',
  'holder_name',
  'country',
  'email',
  'wise_recipient_id',
  'currency',
  'iban',
  'bic',
  'routing_number',
  'account_number',
  'account_type',
  'address',
  'postal_code',
  'city',
] as const;
export type DetailField = (typeof DETAIL_FIELDS)[number];

/** Entries as they were typed, or as a row of a file has them. A missing one is empty. */
export type TypedDetails = Readonly<Partial<Record<DetailField, string>>>;

const HOLDER = ['holder_kind', 'holder_name', 'country'] as const;

/** The entries of each method, in the order of a form. */
export const METHOD_FIELDS: Readonly<Record<Method, readonly DetailField[]>> = {
  paypal: ['email', ...HOLDER],
  wise: ['wise_recipient_id', 'email', 'currency', ...HOLDER],
  sepa: ['iban', 'bic', ...HOLDER, 'postal_code', 'city'],
  wire_usd: ['account_number', 'bic', ...HOLDER, 'postal_code', 'city'],
  ach: ['routing_number', 'account_number', 'account_type', ...HOLDER],
  other: ['address', ...HOLDER],
  none: [],
};

/** The entries that a method can't do without. */
export const NEEDED_FIELDS: Readonly<Record<Method, readonly DetailField[]>> = {
  paypal: ['email'],
  wise: ['holder_name'],
  sepa: ['iban', 'holder_name'],
  wire_usd: ['account_number', 'bic', 'holder_name', 'city', 'country'],
  ach: ['routing_number', 'account_number', 'account_type', 'holder_name'],
  other: ['address', 'holder_name'],
  none: [],
};

/** Payment details whose entries are right. */
export interface CheckedDetails {
  method: Method;
  holderKind: HolderKind;
  /** ISO 3166; null: not stated. */
  country: string | null;
  /** What is sealed, without empty entries. */
  entries: TypedDetails;
  /** The account as screens show it. */
  mask: string;
  /** The account in one form, whatever way it was typed: what the fingerprint covers. null: no account. */
  account: string | null;
}

/** The facts of payment details that stay the same under every key: the audit has their digest. */
export interface DetailFacts extends Pick<CheckedDetails, 'holderKind' | 'method' | 'country' | 'mask'> {
  gameId: number;
  recipientId: number;
  detailNo: number;
  identityId: string | null;
}

/** What sealed entries are bound to: in another row, or beside another fact, they don't open. */
export interface SealedFor extends DetailFacts {
  /** null: no account. */
  fingerprint: Uint8Array | null;
}

/** What is wrong with an entry. */
export type DetailProblem =
  | 'missing'
  | 'too_long'
  | 'unknown'
  | 'control_characters'
  | 'mixed_scripts'
  | 'not_writable'
  | 'no_letters'
  | 'formula'
  | 'not_an_email'
  | 'display_name'
  | 'one_of_two'
  | 'not_digits'
  | 'check_digits'
  | 'length'
  | 'country'
  | 'united_kingdom'
  | 'no_iban'
  | 'not_sepa'
  | 'outside_eea'
  | 'qr_iban'
  | 'account'
  | 'not_for_method';

export type DetailRefusal = { ok: false; reason: 'invalid'; field: DetailField; problem: DetailProblem };

/** The newest confirmed details of a recipient. */
export interface DetailsInForce {
  detailNo: number;
  method: Method;
  /** The identity they were made for; null: Invo reported none then. */
  identityId: string | null;
  /** The identity behind the recipient that Invo reported last, in whatever month. */
  reportedIdentityId: string | null;
}

/** Whether details pay their recipient: details made for another identity than the one reported last, or under none while there is one now, don't. */
export function canPay(details: DetailsInForce | null): details is DetailsInForce {
  return details !== null && details.method !== 'none' && details.identityId === details.reportedIdentityId;
}

/** The states of a recipient's payment details: `changed`, those in force were made for another identity. */
export const DETAIL_STATES = ['none', 'proposed', 'in_force', 'changed'] as const;
export type DetailState = (typeof DETAIL_STATES)[number];
