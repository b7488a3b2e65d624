import { ACCOUNT_IN_TEXT, APPROVER_TEXT } from '../approvals/text.ts';
import { countNoun } from '../core/strings.ts';
import type { DetailField, DetailProblem, DetailState, HolderKind, Method } from './rules/details.ts';
import { FILE_ROWS_MAX, type FileError, type ImportChange, type RowError } from './rules/import-file.ts';

/** The methods of payment. */
export const METHOD_TEXT: Readonly<Record<Method, string>> = {
  paypal: 'PayPal',
  wise: 'Wise',
  sepa: 'SEPA transfer',
  wire_usd: 'USD wire',
  ach: 'ACH',
  other: 'Other',
  none: 'None',
};

export const HOLDER_KIND_TEXT: Readonly<Record<HolderKind, string>> = { person: 'Person', company: 'Company' };

/** The states of a recipient's payment details. */
export const DETAIL_STATE_TEXT: Readonly<Record<DetailState, string>> = {
  none: 'None',
  proposed: 'Proposed',
  in_force: 'In force',
  changed: 'Identity changed',
};

/** The label of each entry; a file names its columns by their keys. */
export const FIELD_TEXT: Readonly<Record<DetailField, string>> = {
  holder_kind: 'Account holder type',
  holder_name: 'Account holder',
  country: 'Country',
  email: 'Email',
  wise_recipient_id: 'Wise recipient ID',
  currency: 'Currency',
  iban: 'IBAN',
  bic: 'BIC',
  routing_number: 'Routing number',
  account_number: 'Account number',
  account_type: 'Account type',
  address: 'Payment address',
  postal_code: 'Postal code',
  city: 'City',
};

/** What a form says below an entry. */
export const FIELD_HINTS: Readonly<Partial<Record<`${Method}.${DetailField}`, string>>> = {
  'paypal.email': 'The email of the PayPal account, or its 13-character PayPal ID.',
  'paypal.holder_name': 'Optional.',
  'paypal.country': 'Optional. Two letters, such as DE.',
  'wise.wise_recipient_id': 'Digits. Or enter the email instead.',
  'wise.email': 'Or enter the Wise recipient ID instead.',
  'wise.currency': 'Three letters. Empty: USD.',
  'wise.country': 'Optional. Two letters, such as DE.',
  'sepa.bic': 'Optional for accounts in the European Economic Area.',
  'sepa.country': 'Of the account holder. Empty: the country of the IBAN.',
  'sepa.postal_code': 'Optional.',
  'sepa.city': 'Optional for accounts in the European Economic Area.',
  'wire_usd.account_number': 'Account number or IBAN.',
  'wire_usd.country': 'Of the account holder. Two letters, such as GB.',
  'wire_usd.postal_code': 'Optional.',
  'ach.routing_number': 'Nine digits, as a check shows them.',
  'ach.country': 'Of the account holder; the account is in the US. Empty: US.',
  'other.address': 'For example an account with another service. At most 200 characters.',
  'other.country': 'Optional. Two letters, such as DE.',
};

const PROBLEM_TEXT: Readonly<Record<DetailProblem, string>> = {
  missing: 'This entry is needed.',
  too_long: 'This entry is too long.',
  unknown: 'This value isn’t allowed. Compare it with the documentation of payment details.',
  control_characters: 'Remove invisible or control characters.',
  mixed_scripts: 'Use letters of one alphabet: some of these look the same and aren’t.',
  not_writable:
    'Payment files can’t carry all of these characters. Use Latin, Greek or Cyrillic letters, digits, spaces and the signs - . , / ( ) & and apostrophes.',
  no_letters: 'Use at least one letter or digit.',
  formula: 'The first character can start a formula in a spreadsheet. Start with a letter or a digit.',
  not_an_email: 'Enter an email such as mira@example.com.',
  display_name: 'Enter the email alone, without a name, spaces or brackets.',
  one_of_two: 'Enter the Wise recipient ID or the email, and not both.',
  not_digits: 'Use digits only.',
  check_digits: 'The check digits don’t match. Compare it with the original.',
  length: 'The length is wrong. Compare it with the original.',
  country: 'Use the two-letter code of a country (ISO 3166), such as DE.',
  united_kingdom: 'Use GB for the United Kingdom.',
  no_iban: 'No IBAN starts with these two letters. For an account in the US, choose ACH or USD wire.',
  not_sepa: 'Accounts of this country can’t receive SEPA transfers. Choose another method.',
  outside_eea: 'An account outside the European Economic Area needs this entry.',
  qr_iban: 'This is a QR-IBAN, for invoices with a QR reference only. Enter the IBAN of the account.',
  account: 'The format is wrong. Compare it with the original.',
  not_for_method: 'This method doesn’t use it. Leave it empty.',
};

/** What is wrong with an entry, in a sentence. */
export function formatProblem(field: DetailField | 'reason' | 'method', problem: DetailProblem): string {
  if (field === 'reason' && problem === 'account') return ACCOUNT_IN_TEXT;
  if (field === 'reason') return problem === 'missing' ? 'Enter a reason.' : 'Use at most 500 characters.';
  if (field === 'method') return 'Choose a method.';
  if (problem === 'unknown') return UNKNOWN_TEXT[field] ?? PROBLEM_TEXT.unknown;
  if (problem === 'outside_eea') return OUTSIDE_EEA_TEXT[field] ?? PROBLEM_TEXT.outside_eea;
  if (problem === 'no_iban' && field === 'account_number') return NO_IBAN_NUMBER;
  return PROBLEM_TEXT[problem];
}

const OUTSIDE_EEA_TEXT: Readonly<Partial<Record<DetailField, string>>> = {
  bic: 'An account outside the European Economic Area needs a BIC. Enter that of the recipient’s bank.',
  city: 'An account outside the European Economic Area needs a city. Enter that of the account holder.',
};

const NO_IBAN_NUMBER = 'No IBAN starts with these two letters. Enter the account number as the bank states it.';

const UNKNOWN_TEXT: Readonly<Partial<Record<DetailField, string>>> = {
  holder_kind: 'Use person or company.',
  account_type: 'Use checking or savings.',
  currency: 'Use the three-letter code of a currency in use (ISO 4217), such as USD.',
};

/** Why nothing was proposed. */
export const PROPOSE_REFUSALS = {
  not_allowed: 'Your role can’t do this. Nothing was saved.',
  ...APPROVER_TEXT,
  no_key: 'The key of payment details isn’t set, so they can’t be stored. Nothing was saved.',
  unknown_recipient: 'Invo has reported no recipient with this player ID.',
  another_waits: 'Nothing was saved: other details are proposed and not yet confirmed. Confirm or withdraw them first.',
  unchanged: 'These details are in force already. Nothing was saved.',
} as const;

/** Why a confirmation is refused, besides who confirms. */
export const CONFIRM_REFUSALS = {
  no_key: 'The key of payment details isn’t set, so none can be confirmed. Nothing was saved.',
  not_as_shown: 'Nothing was saved: the proposal has changed since you opened the page. Check what is shown now.',
  unreadable: 'Nothing was saved: these payment details don’t open. Withdraw them and enter them again.',
} as const;

/** What each change of an import is called. */
export const CHANGE_TEXT: Readonly<Record<ImportChange, string>> = {
  new: 'New',
  changed: 'Changed',
  identity: 'New identity',
  unchanged: 'No change',
};

/** What an import that waits means for who is paid; empty: only new recipients or the same accounts. */
export function formatImportEffect({ changedCount, unpaidCount }: { changedCount: number; unpaidCount: number }): string {
  const changed = `Sharebook would pay ${countNoun(changedCount, 'recipient')} to another account than now.`;
  const unpaid = `Sharebook would no longer pay ${countNoun(unpaidCount, 'recipient')}.`;
  return [changedCount > 0 && changed, unpaidCount > 0 && unpaid].filter(Boolean).join(' ');
}

/** What is wrong with a file of payment details. */
export function formatFileError(error: FileError): string {
  switch (error.kind) {
    case 'too_large':
      return 'The file is larger than 20 MB. Nothing was saved.';
    case 'packed':
      return `This is ${error.name}. Save the list as “CSV UTF-8” and choose that file.`;
    case 'not_utf8':
      return 'The file isn’t UTF-8. Save it as “CSV UTF-8” and choose it again.';
    case 'empty':
      return 'The file has no rows below its header.';
    case 'too_many':
      return `The file has more than ${FILE_ROWS_MAX.toLocaleString('en-US')} rows: line ${error.line.toLocaleString('en-US')} is one too many. Split it.`;
    case 'open_quote':
      return `Line ${error.line.toLocaleString('en-US')} has a quoted cell that doesn’t end. The file may be cut off.`;
    case 'missing_column':
      return `The column ${error.column} is missing.`;
    case 'unknown_column':
      return `The column “${error.column}” isn’t used for payment details. Remove or rename it.`;
    case 'column_twice':
      return `The header names the column ${error.column} twice. Remove one.`;
  }
}

/** What is wrong with a row, with its line and column. */
export function formatRowError(error: RowError): string {
  return `Line ${error.line.toLocaleString('en-US')}, ${error.column}: ${rowProblem(error)}`;
}

function rowProblem(error: RowError): string {
  if (error.problem === 'twice') return `Line ${error.first.toLocaleString('en-US')} names this recipient already.`;
  if (isRowProblem(error.problem)) return ROW_PROBLEM_TEXT[error.problem];
  return error.column === 'recipient_player_id' ? PROBLEM_TEXT[error.problem] : formatProblem(error.column, error.problem);
}

/** What only a row of a file can have wrong. */
const ROW_PROBLEM_TEXT = {
  not_an_id: 'This isn’t a player ID.',
  unknown_method: `Use ${Object.keys(METHOD_TEXT).join(', ')}.`,
  unknown_recipient: PROPOSE_REFUSALS.unknown_recipient,
  another_waits: 'Details of this recipient are proposed and not yet confirmed. Confirm or withdraw them first.',
  too_many_cells: 'The row has more cells than the header. Quote cells that contain the separator.',
  too_few_cells: 'The row has fewer cells than the header. Add its empty cells.',
} as const;

function isRowProblem(problem: string): problem is keyof typeof ROW_PROBLEM_TEXT {
  return Object.hasOwn(ROW_PROBLEM_TEXT, problem);
}

/** Why an import isn't proposed, besides its rows. */
export const IMPORT_REFUSALS = {
  ...PROPOSE_REFUSALS,
  no_changes: 'Nothing was saved: the file changes no payment details.',
  not_as_shown: 'Nothing was saved: the file changes something else now. Check the list below and propose it again.',
  missing: 'Enter a reason.',
  too_long: 'Use at most 500 characters for the reason.',
  account_in_reason: `${ACCOUNT_IN_TEXT} Nothing was saved.`,
} as const;

/** The mask that an erasure leaves. */
const ERASED_MASK = 'Erased';

/** Whose account and how, in a few words: `PayPal m•••@e•••.com`. */
export function formatAccount({ method, mask }: { method: Method; mask: string }): string {
  if (mask === ERASED_MASK) return 'Erased';
  if (method === 'none') return 'No payment';
  return method === 'other' ? METHOD_TEXT.other : `${METHOD_TEXT[method]} ${mask}`;
}
