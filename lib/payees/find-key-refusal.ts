import type { Db } from '#db/kit/open.ts';
import { listOtherKeys } from './reads/detail-keys.ts';
import { nameKey, type PayeeKey } from './seal.ts';

/** Why no payment details can be stored or confirmed: no key is set, or another one than that of stored details. */
export type KeyRefusal = { ok: false; reason: 'no_key' } | { ok: false; reason: 'other_key'; keyName: string; expected: string };

/** Finds why payment details can't be stored under a key; null: they can. Two keys side by side would hide accounts that recipients share. */
export async function findKeyRefusal(db: Db, key: PayeeKey | null): Promise<KeyRefusal | null> {
  if (key === null) return { ok: false, reason: 'no_key' };
  const keyName = nameKey(key);
  const others = await listOtherKeys(db, keyName);
  if (others.length === 0) return null;
  return { ok: false, reason: 'other_key', keyName, expected: others.map((each) => each.keyName).join(', ') };
}

/** The sentences of another key. Browsers load none of them: they name the variable. */
export function formatOtherKey({ keyName, expected }: Extract<KeyRefusal, { reason: 'other_key' }>): string {
  return `Stored payment details are sealed under key ${expected}, and SHAREBOOK_PAYEE_KEY is key ${keyName}. Set it to key ${expected}, or run reseal, and restart Sharebook.`;
}
