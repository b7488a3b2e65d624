import type { Db } from '#db/kit/open.ts';
import { listSealed } from './reads/payee-details.ts';
import { ACCOUNT_MIN, namesAccount } from './rules/names-account.ts';
import { openEntries, type PayeeKey } from './seal.ts';

/**
 * Whether a text that other people read names an account of these recipients, of any version of their payment details, which `key` opens. Without the key nothing can be
 * compared: only an IBAN is recognised, as the text is parsed.
 */
export async function namesAccountOf(
  db: Db,
  gameId: number,
  key: PayeeKey | null,
  { text, recipientIds }: { text: string | null; recipientIds: readonly number[] },
): Promise<boolean> {
  if (key === null || text === null) return false;
  const length_min = recipientIds.length === 1 ? ACCOUNT_MIN.one : ACCOUNT_MIN.many;
  const stored = await listSealed(db, gameId, recipientIds);
  return stored.some((detail) => namesAccount(text, openEntries(detail.sealed, detail, key) ?? {}, length_min));
}
