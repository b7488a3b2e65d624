import type { Db } from '#db/kit/open.ts';
import { ACCOUNT_TEXT } from '../approvals/text.ts';
import { listOtherKeys } from './reads/detail-keys.ts';
import { nameKey, type PayeeKey } from './seal.ts';

/** Why payment details can't be shown. */
export const SHOW_REFUSALS = {
  not_allowed: 'Your role can’t open payment details.',
  ...ACCOUNT_TEXT,
  no_key: 'The key of payment details isn’t set, so they can’t be opened.',
  gone: 'These payment details don’t exist, or were erased with their recipient.',
  unreadable:
    'This account doesn’t open: its row was changed, or another key sealed it. Set SHAREBOOK_PAYEE_KEY to the key that sealed it, or run verify.',
} as const;

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

/** What pages say while payment details can't be stored or opened, and what to do. */
export interface KeyProblem {
  /** Stored details are sealed under a key that isn't set: it must be found. Otherwise a new one can be made. */
  isKeyMissed: boolean;
  title: string;
  text: string;
}

/** Finds what pages say about the key; null: it is set and seals what is stored. */
export async function findKeyProblem(db: Db, key: PayeeKey | null): Promise<KeyProblem | null> {
  const refusal = await findKeyRefusal(db, key);
  if (refusal === null) return null;
  if (refusal.reason === 'other_key')
    return {
      isKeyMissed: true,
      title: 'Payment details have another key',
      text: `${formatOtherKey(refusal)} Until then, none can be entered, confirmed or opened.`,
    };
  const sealedUnder = (await listOtherKeys(db, null)).map(({ keyName }) => keyName).join(', ');
  if (sealedUnder !== '')
    return {
      isKeyMissed: true,
      title: 'The key of payment details isn’t set',
      text: `Stored payment details are sealed under key ${sealedUnder}, and SHAREBOOK_PAYEE_KEY isn’t set. Set it to key ${sealedUnder} for the web processes, and restart Sharebook. No other key opens them. Until then, no payment details, sender accounts, payment files and bank reports can be stored, confirmed or opened. Everything else works.`,
    };
  return {
    isKeyMissed: false,
    title: 'Payment details need a key',
    text: 'SHAREBOOK_PAYEE_KEY isn’t set. Payment details, sender accounts, payment files and bank reports are sealed under it, so none can be stored, confirmed or opened. Everything else works. Make one with “openssl rand -base64 32”, set it for the web processes, and restart Sharebook. Store a copy apart from the database.',
  };
}
