import * as z from 'zod';
import { isFormula } from '#lib/core/csv.ts';
import { ACCOUNTS, type Account } from './journal.ts';

/** What a game's accounts are called in its bookkeeping. An empty text: not filled in. */
const mapping = z.object({
  code: z.string(),
  name: z.string(),
  xero_code: z.string(),
  xero_tax_rate: z.string(),
  quickbooks_name: z.string(),
});
export type AccountMapping = z.infer<typeof mapping>;
export type MappingField = keyof AccountMapping;

/** Guarantee of the cast: the keys of a shape are its names. */
export const MAPPING_FIELDS = Object.keys(mapping.shape) as MappingField[];

/** The longest entry of each field: Xero takes ten characters of a code, QuickBooks 100 of each part of a name. */
const MAPPING_LENGTH_MAX: Readonly<Record<MappingField, number>> = {
  code: 50,
  name: 150,
  xero_code: 10,
  xero_tax_rate: 50,
  quickbooks_name: 150,
};

/** The names of an account without any entry. */
export const NO_NAMES: AccountMapping = { code: '', name: '', xero_code: '', xero_tax_rate: '', quickbooks_name: '' };

/** Version 1 of a stored account map: accounts without any entry are left out. */
const stored = z.object({ version: z.literal(1), accounts: z.partialRecord(z.enum(ACCOUNTS), mapping) });
export type StoredAccounts = z.infer<typeof stored>;

/** The accounts of a game under a number that never means anything else. 0: none were set yet. */
export interface AccountMap {
  mapNo: number;
  accounts: Partial<Record<Account, AccountMapping>>;
}

export const NO_ACCOUNTS: AccountMap = { mapNo: 0, accounts: {} };

/** Parses the stored accounts of a map. Throws for any other shape. */
export function parseAccountMap(mapNo: number, accounts: unknown): AccountMap {
  return { mapNo, accounts: stored.parse(accounts).accounts };
}

/** Why an entry is refused. `formula`: a program would read it as one; `no_tax_rate`: Xero takes no line without one. */
export type MappingError = 'too_long' | 'formula' | 'control' | 'no_tax_rate';

/** The name of an account's field in a form. */
export function fieldName(account: Account, field: MappingField): string {
  return `${account}.${field}`;
}

/** Reads typed accounts: what is to be stored, or each entry that is refused by the name of its field. Accounts without any entry are left out. */
export function readTypedAccounts(
  typed: Readonly<Record<string, string | undefined>>,
): { accounts: StoredAccounts } | { errors: Record<string, MappingError> } {
  const errors: Record<string, MappingError> = {};
  const accounts: StoredAccounts['accounts'] = {};
  for (const account of ACCOUNTS) {
    const entry = { ...NO_NAMES };
    for (const field of MAPPING_FIELDS) {
      entry[field] = (typed[fieldName(account, field)] ?? '').trim();
      const error = errorOf(field, entry[field]);
      if (error !== null) errors[fieldName(account, field)] = error;
    }
    if (entry.xero_code !== '' && entry.xero_tax_rate === '') errors[fieldName(account, 'xero_tax_rate')] = 'no_tax_rate';
    if (MAPPING_FIELDS.some((field) => entry[field] !== '')) accounts[account] = entry;
  }
  return Object.keys(errors).length > 0 ? { errors } : { accounts: { version: 1, accounts } };
}

const IDENTIFYING = ['code', 'xero_code', 'quickbooks_name'] as const;

/** Lists codes and names that more than one account has: allowed, and easily a mistake. */
export function listShared({ accounts }: StoredAccounts): { field: MappingField; text: string; accounts: Account[] }[] {
  return IDENTIFYING.flatMap((field) => {
    const byText = Map.groupBy(
      ACCOUNTS.filter((account) => (accounts[account]?.[field] ?? '') !== ''),
      (account) => accounts[account]?.[field] ?? '',
    );
    return [...byText].flatMap(([text, sharing]) => (sharing.length > 1 ? [{ field, text, accounts: sharing }] : []));
  });
}

// An account is found by its exact name, so what would have to be escaped against formulas is refused instead.
function errorOf(field: MappingField, text: string): MappingError | null {
  if (text.length > MAPPING_LENGTH_MAX[field]) return 'too_long';
  if (/[\p{Cc}\p{Cs}]/u.test(text)) return 'control';
  return isFormula(text) ? 'formula' : null;
}
