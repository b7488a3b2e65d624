import { isValidIBAN } from 'ibantools';
import { parseTypedText } from '#lib/core/typed-input.ts';
import type { DetailField, TypedDetails } from './details.ts';

/** Why a text that other people read isn't stored. `account`: it names a whole account, which they could read. */
export type SharedTextRefusal = 'missing' | 'too_long' | 'account';

/** A typed text that people read who may not see whole accounts: a reason, a note, the bank's number of a file. Null: nothing was typed. */
export function parseSharedText(
  typed: string | null,
  length_max: number,
): { ok: true; text: string | null } | { ok: false; reason: Exclude<SharedTextRefusal, 'missing'> } {
  const parsed = parseTypedText(typed, length_max);
  if (parsed === 'too_long') return { ok: false, reason: 'too_long' };
  return parsed.text !== null && namesAccount(parsed.text, {}) ? { ok: false, reason: 'account' } : { ok: true, text: parsed.text };
}

/** The same for a text that must be there. */
export function parseSharedNote(typed: string, length_max: number): { ok: true; text: string } | { ok: false; reason: SharedTextRefusal } {
  const parsed = parseSharedText(typed, length_max);
  if (!parsed.ok) return parsed;
  return parsed.text === null ? { ok: false, reason: 'missing' } : { ok: true, text: parsed.text };
}

/** The entries that name an account. */
const ACCOUNT_FIELDS: readonly DetailField[] = ['email', 'wise_recipient_id', 'iban', 'account_number', 'address'];
/** Fewer characters of an account are in many texts by chance: in one about one recipient, and in one that is compared with the accounts of many. */
export const ACCOUNT_MIN = { one: 4, many: 8 } as const;

/** Whether a text has an account of the entries, or a valid IBAN of anybody, however it is spaced and in whatever case: it would be readable beside what is sealed. */
export function namesAccount(text: string, entries: TypedDetails, length_min: number = ACCOUNT_MIN.one): boolean {
  const within = plainOf(text);
  return (
    namesIban(within) ||
    ACCOUNT_FIELDS.some((field) => {
      const account = plainOf(entries[field] ?? '');
      return account.length >= length_min && within.includes(account);
    })
  );
}

/** Letters and digits alone, so that neither spaces nor characters without a shape hide an account. */
function plainOf(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}@]/gu, '')
    .toUpperCase();
}

/** IBANs have 15 to 34 characters. Which of those a country has, ibantools knows. */
function namesIban(plain: string): boolean {
  for (const { index } of plain.matchAll(/[A-Z]{2}(?=\d{2})/g))
    for (let length = 15; length <= 34 && index + length <= plain.length; length++)
      if (isValidIBAN(plain.slice(index, index + length))) return true;
  return false;
}
