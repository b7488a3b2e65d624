import { electronicFormatIBAN, isSEPACountry, isValidBIC, ValidationErrorsIBAN, validateIBAN } from 'ibantools';
import { isFormula } from '#lib/core/csv.ts';
import { maskEmail } from '#lib/core/mask-email.ts';
import { isBlank } from '#lib/core/typed-input.ts';
import { isInEea, isRoutingNumber } from '#lib/payments/rules/bank-accounts.ts';
import { writeBankLetters } from '#lib/payments/rules/bank-letters.ts';
import { listNameBlockers } from '#lib/payments/rules/list-item-blockers.ts';
import { POST_CODE_LENGTH_MAX, TOWN_LENGTH_MAX } from '#lib/payments/rules/list-sender-blockers.ts';
import { METHOD_FORMATS } from '#lib/payments/rules/payment.ts';
import type { BlockerReason } from '#lib/payments/rules/payment-blocker.ts';
import {
  type CheckedDetails,
  DETAIL_FIELDS,
  type DetailField,
  type DetailProblem,
  type DetailRefusal,
  HOLDER_KINDS,
  METHOD_FIELDS,
  type Method,
  NEEDED_FIELDS,
  type TypedDetails,
} from './details.ts';

/** The officially assigned codes of ISO 3166-1 alpha-2: neither reserved (UK, SU, EU) nor of users (XK). Source: ISO 3166/MA, as of October 2025. */
export const COUNTRIES: ReadonlySet<string> = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
    'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR ' +
    'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP ' +
    'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ ' +
    'NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW ' +
    'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ ' +
    'UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
  ).split(' '),
);

/** The currencies of ISO 4217 that Node knows, without metals, test codes and long retired ones. */
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Characters of a text that a bank prints: names, towns. */
const TEXT_MAX = 70;
/** Characters of the address of method `other`. */
const ADDRESS_MAX = 200;

/** SEPA countries that ibantools 4.5.4 doesn't list (European Payments Council, EPC409-09, as of October 2025). */
const LATER_SEPA = ['AL', 'MD', 'ME', 'MK', 'RS'];

/** The part before the @ is made of atoms and dots, the host of labels (RFC 5321, without quotes and address literals). */
const EMAIL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;
/** PayPal's ID of an account. */
const PAYER_ID = /^[A-Z0-9]{13}$/;

type Problem = Omit<DetailRefusal, 'ok' | 'reason'>;

/** Checks the entries of payment details. The first problem is returned; entries that the method doesn't have must be empty. */
export function checkDetails(method: Method, typed: TypedDetails): { ok: true; details: CheckedDetails } | DetailRefusal {
  const entries: Partial<Record<DetailField, string>> = {};
  for (const field of DETAIL_FIELDS) {
    const text = (typed[field] ?? '').normalize('NFC').trim();
    if (text === '') continue;
    const problem = METHOD_FIELDS[method].includes(field) ? problemOf(field, text) : 'not_for_method';
    if (problem !== null) return refuse({ field, problem });
    entries[field] = UPPER.includes(field) ? text.replaceAll(/[\s-]/g, '').toUpperCase() : text;
  }
  if (entries.account_number !== undefined) entries.account_number = entries.account_number.replaceAll(/[\s-]/g, '').toUpperCase();
  const missing = NEEDED_FIELDS[method].find((field) => entries[field] === undefined);
  if (missing !== undefined) return refuse({ field: missing, problem: 'missing' });
  const checked = problemInFile(method, entries) ?? CHECKS[method](entries);
  if ('field' in checked) return refuse(checked);
  const { mask, account, country = entries.country ?? null } = checked;
  const holderKind = HOLDER_KINDS.find((kind) => kind === entries.holder_kind) ?? 'person';
  return { ok: true, details: { method, holderKind, country, entries, mask, account } };
}

const UPPER: readonly DetailField[] = ['country', 'currency', 'iban', 'bic', 'routing_number'];

function refuse(problem: Problem): DetailRefusal {
  return { ok: false, reason: 'invalid', ...problem };
}

/** What is wrong with an entry whatever the method. */
function problemOf(field: DetailField, text: string): DetailProblem | null {
  if (isBlank(text)) return 'missing';
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(text)) return 'control_characters';
  if (isFormula(text)) return 'formula';
  if (countScripts(text) > 1) return 'mixed_scripts';
  if (text.length > (field === 'address' ? ADDRESS_MAX : field === 'email' ? 254 : TEXT_MAX)) return 'too_long';
  if (field === 'holder_kind') return HOLDER_KINDS.some((kind) => kind === text) ? null : 'unknown';
  if (field === 'account_type') return text === 'checking' || text === 'savings' ? null : 'unknown';
  if (field === 'country') return problemOfCountry(text.toUpperCase());
  if (field === 'currency') return CURRENCIES.has(text.toUpperCase()) ? null : 'unknown';
  if (field === 'bic') return isValidBIC(text.replaceAll(/\s/g, '').toUpperCase()) ? null : 'account';
  return null;
}

/** Scripts whose letters look alike: a name in two of them may imitate another person's. */
const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u, /\p{Script=Cherokee}/u];

function countScripts(text: string): number {
  return SCRIPTS.filter((script) => script.test(text)).length;
}

/** The problem of what blocks a file by a name: it would block every payment of its method. */
const NAME_PROBLEMS: Readonly<Partial<Record<BlockerReason, DetailProblem>>> = {
  name_not_writable: 'not_writable',
  name_empty: 'no_letters',
  name_too_long: 'too_long',
  name_is_formula: 'formula',
};

/** What a payment file of the method couldn't carry of a name or a postal address. */
function problemInFile(method: Method, { holder_name, city, postal_code }: Entries): Problem | null {
  const [format] = method === 'none' ? [] : METHOD_FORMATS[method];
  if (format === undefined) return null;
  const [blocker] = holder_name === undefined ? [] : listNameBlockers(holder_name, format);
  const problem = blocker === undefined ? undefined : NAME_PROBLEMS[blocker[0]];
  if (problem !== undefined) return { field: 'holder_name', problem };
  return problemOfPlace('city', city, TOWN_LENGTH_MAX) ?? problemOfPlace('postal_code', postal_code, POST_CODE_LENGTH_MAX);
}

function problemOfPlace(field: 'city' | 'postal_code', typed: string | undefined, lengthMax: number): Problem | null {
  if (typed === undefined) return null;
  const { text, unwritten } = writeBankLetters(typed, 'epc');
  if (unwritten.length > 0 || text === '') return { field, problem: 'not_writable' };
  return text.length > lengthMax ? { field, problem: 'too_long' } : null;
}

function problemOfCountry(code: string): DetailProblem | null {
  if (code === 'UK') return 'united_kingdom';
  return COUNTRIES.has(code) ? null : 'country';
}

type Entries = Partial<Record<DetailField, string>>;
type Account = { mask: string; account: string | null; country?: string | null };

/** What is checked of each method, with the account in one form and its mask. What it needs is there. */
const CHECKS: Readonly<Record<Method, (entries: Entries) => Account | Problem>> = {
  paypal: ({ email = '' }) => {
    if (PAYER_ID.test(email)) return { mask: lastOf(email), account: `paypal ${email}` };
    return checkEmail(email) ?? { mask: maskEmail(email), account: `paypal ${email.toLowerCase()}` };
  },
  wise: (entries) => {
    const { wise_recipient_id: id, email } = entries;
    if ((id === undefined) === (email === undefined)) return { field: 'wise_recipient_id', problem: 'one_of_two' };
    entries.currency ??= 'USD';
    if (id !== undefined)
      return /^\d{1,18}$/.test(id) ? { mask: lastOf(id), account: `wise ${id}` } : { field: 'wise_recipient_id', problem: 'not_digits' };
    return checkEmail(email ?? '') ?? { mask: maskEmail(email ?? ''), account: `wise ${(email ?? '').toLowerCase()}` };
  },
  sepa: (entries) => {
    const iban = entries.iban ?? '';
    const problem = problemOfIban(iban);
    if (problem !== null) return { field: 'iban', problem };
    const country = iban.slice(0, 2);
    if (!isSEPACountry(country) && !LATER_SEPA.includes(country)) return { field: 'iban', problem: 'not_sepa' };
    entries.country ??= country;
    // Beyond the European Economic Area a SEPA payment needs both.
    if (!isInEea(iban))
      for (const field of ['bic', 'city'] as const) if (entries[field] === undefined) return { field, problem: 'outside_eea' };
    return { mask: maskIban(iban), account: `iban ${iban}` };
  },
  wire_usd: ({ account_number: number = '', bic = '' }) => {
    if (/^[A-Z]{2}\d{2}[A-Z]/.test(number) || /^[A-Z]{2}\d{13,}$/.test(number)) {
      const problem = problemOfIban(number);
      return problem === null ? { mask: maskIban(number), account: `iban ${number}` } : { field: 'account_number', problem };
    }
    if (!/^[A-Z0-9]{4,34}$/.test(number)) return { field: 'account_number', problem: 'account' };
    return { mask: lastOf(number), account: `bic ${bic.slice(0, 8)} ${number}` };
  },
  ach: ({ routing_number: routing = '', account_number: number = '', country }) => {
    if (!/^\d+$/.test(routing)) return { field: 'routing_number', problem: 'not_digits' };
    if (routing.length !== 9) return { field: 'routing_number', problem: 'length' };
    if (!isRoutingNumber(routing)) return { field: 'routing_number', problem: 'check_digits' };
    if (!/^[A-Z0-9]{4,17}$/.test(number)) return { field: 'account_number', problem: 'account' };
    return { mask: lastOf(number), account: `aba ${routing} ${number}`, country: country ?? 'US' };
  },
  other: ({ address = '' }) => ({ mask: 'As entered', account: `other ${address.toLowerCase().replaceAll(/\s+/g, ' ')}` }),
  none: () => ({ mask: 'Not paid', account: null }),
};

function checkEmail(email: string): Problem | null {
  if (/[<>\s"(),;]/.test(email)) return { field: 'email', problem: 'display_name' };
  const local = email.slice(0, email.lastIndexOf('@'));
  return EMAIL.test(email) && local.length <= 64 ? null : { field: 'email', problem: 'not_an_email' };
}

function problemOfIban(iban: string): DetailProblem | null {
  if (electronicFormatIBAN(iban) !== iban) return 'account';
  const { valid, errorCodes } = validateIBAN(iban, { allowQRIBAN: false });
  if (valid) return null;
  const has = (code: ValidationErrorsIBAN): boolean => errorCodes.includes(code);
  if (has(ValidationErrorsIBAN.NoIBANCountry)) return 'no_iban';
  if (has(ValidationErrorsIBAN.WrongBBANLength)) return 'length';
  if (has(ValidationErrorsIBAN.WrongBBANFormat)) return 'account';
  if (has(ValidationErrorsIBAN.QRIBANNotAllowed)) return 'qr_iban';
  return 'check_digits';
}

/** At most four characters, and never more than a third of an account. */
function lastOf(account: string): string {
  return `•••• ${account.slice(account.length - Math.min(4, Math.floor(account.length / 3)))}`.trim();
}

function maskIban(iban: string): string {
  return `${iban.slice(0, 2)} •••• ${iban.slice(-4)}`;
}
