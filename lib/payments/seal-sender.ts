import { randomBytes } from 'node:crypto';
import { sha256Of } from '../core/canonical-digest.ts';
import { openBytes, type PayeeKey, type SealedAs, sealBytes } from '../payees/seal.ts';
import type { StoredSender } from './reads/senders.ts';
import { SENDER_FIELDS, type TypedSender } from './rules/sender-entries.ts';

type SenderFacts = Pick<StoredSender, 'gameId' | 'senderNo' | 'method' | 'mask'>;

/** What the entries of a sender account are sealed as. */
export function senderAs({ gameId, senderNo, method, mask }: SenderFacts): SealedAs {
  return { purpose: 'sender', bound: [1, gameId, senderNo, method, mask] };
}

/** Seals the entries of a sender account with random bytes beside them, so that nobody guesses them by their digest. */
export function sealSender(entries: TypedSender, facts: SenderFacts, key: PayeeKey): { sealed: Buffer; digest: Buffer } {
  const text = Buffer.from(JSON.stringify({ entries, salt: randomBytes(16).toString('hex') }));
  return { sealed: sealBytes(text, senderAs(facts), key), digest: sha256Of(text) };
}

/** Opens the entries of a sender account; null when they don't open with this key, or aren't those that were proposed. */
export function openSender(stored: SenderFacts & Pick<StoredSender, 'sealed' | 'digest'>, key: PayeeKey): TypedSender | null {
  const text = openBytes(stored.sealed, senderAs(stored), key);
  if (text === null || !sha256Of(text).equals(stored.digest)) return null;
  const { entries } = JSON.parse(text.toString('utf8')) as { entries: Record<string, unknown> };
  return Object.fromEntries(SENDER_FIELDS.flatMap((field) => (typeof entries[field] === 'string' ? [[field, entries[field]]] : [])));
}
