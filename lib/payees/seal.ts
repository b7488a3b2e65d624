import { createHash, createHmac, type KeyObject } from 'node:crypto';
import { canonicalText, digestOf } from '../core/canonical-digest.ts';
import { deriveKey as derive, seal, unseal } from '../core/sealed-bytes.ts';
import { type CheckedDetails, DETAIL_FIELDS, type DetailFacts, type SealedFor, type TypedDetails } from './rules/details.ts';

/** Sealed bytes have a multiple of this length, so that it says little about the entries. */
const BLOCK = 256;

/** What is sealed: the entries, and the account in one form, from which a fingerprint under another key is computed. */
export type SealedEntries = Pick<CheckedDetails, 'entries' | 'account'>;

/** SHAREBOOK_PAYEE_KEY: 32 bytes. */
export type PayeeKey = Uint8Array;

/** The name of a key, stored beside what it seals: the first characters of its SHA-256. */
export function nameKey(key: PayeeKey): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}

/** What is sealed, and what it is bound to: elsewhere, or under another purpose, it doesn't open. */
export interface SealedAs {
  /** The key is derived by it. */
  purpose: 'details' | 'sender' | 'payment file' | 'payment report';
  bound: readonly unknown[];
}

const PURPOSES: Readonly<Record<SealedAs['purpose'], string>> = {
  details: 'sharebook payment details',
  sender: 'sharebook sender account',
  'payment file': 'sharebook payment file',
  'payment report': 'sharebook payment report',
};

/** Seals bytes: nonce, ciphertext and tag. */
export function sealBytes(bytes: Uint8Array, { purpose, bound }: SealedAs, key: PayeeKey): Buffer {
  return seal(bytes, { purpose: PURPOSES[purpose], bound }, deriveKey(key, PURPOSES[purpose]));
}

/** Opens sealed bytes; null when they were sealed under another key or for something else, or were changed. */
export function openBytes(sealed: Uint8Array, { purpose, bound }: SealedAs, key: PayeeKey): Buffer | null {
  return unseal(sealed, { purpose: PURPOSES[purpose], bound }, deriveKey(key, PURPOSES[purpose]));
}

/** Seals the entries of payment details. */
export function sealEntries({ entries, account }: SealedEntries, bound: SealedFor, key: PayeeKey): Buffer {
  const text = Buffer.from(JSON.stringify({ ...entries, account }));
  const padded = Buffer.concat([text, Buffer.alloc(BLOCK - (text.length % BLOCK), ' ')]);
  return sealBytes(padded, { purpose: 'details', bound: boundFacts(bound) }, key);
}

/** Opens sealed entries; null when they were sealed under another key, for another row or other facts, or were changed. */
export function openSealed(sealed: Uint8Array, bound: SealedFor, key: PayeeKey): SealedEntries | null {
  const bytes = openBytes(sealed, { purpose: 'details', bound: boundFacts(bound) }, key);
  if (bytes === null) return null;
  const opened = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
  const entries = DETAIL_FIELDS.flatMap((field) => (typeof opened[field] === 'string' ? [[field, opened[field]]] : []));
  return { entries: Object.fromEntries(entries), account: typeof opened['account'] === 'string' ? opened['account'] : null };
}

/** The entries of `openSealed` alone. */
export function openEntries(sealed: Uint8Array, bound: SealedFor, key: PayeeKey): TypedDetails | null {
  return openSealed(sealed, bound, key)?.entries ?? null;
}

/** The digest of the facts of payment details. The salt prevents guessing a mask by it, and an erasure deletes it. */
export function digestFacts(
  { gameId, recipientId, detailNo, identityId, holderKind, method, country, mask }: DetailFacts,
  salt: Uint8Array,
): Buffer {
  return digestOf([gameId, recipientId, detailNo, identityId, holderKind, method, country, mask, Buffer.from(salt).toString('hex')]);
}

/** The digest of all rows of an imported file, by recipient, from the digests of their facts. */
export function digestSet(rows: readonly { recipientId: number; digest: Uint8Array | null }[]): string {
  const sorted = rows.toSorted((one, other) => one.recipientId - other.recipientId);
  return digestOf(sorted.map(({ digest }) => Buffer.from(digest ?? []).toString('hex'))).toString('hex');
}

/** A digest of what a person is shown, which nobody without the key can compute: it may leave Sharebook although it covers accounts. */
export function digestShown(shown: unknown, key: PayeeKey): string {
  return createHmac('sha256', deriveKey(key, 'sharebook payment details shown')).update(canonicalText(shown)).digest('hex');
}

/** The fingerprint of an account: equal ones of a game have equal fingerprints, and nobody without the key can try accounts. */
export function fingerprintOf(account: string, gameId: number, key: PayeeKey): Buffer {
  return createHmac('sha256', deriveKey(key, 'sharebook payment details fingerprint')).update(`${gameId} ${account}`).digest();
}

const derived = new WeakMap<PayeeKey, Map<string, KeyObject>>();

/** Keys are derived once, and are key objects: a run opens a hundred thousand accounts, and Node would make such an object of bytes each time. */
function deriveKey(key: PayeeKey, purpose: string): KeyObject {
  const known = derived.get(key) ?? new Map<string, KeyObject>();
  derived.set(key, known);
  const found = known.get(purpose) ?? derive(key, purpose);
  known.set(purpose, found);
  return found;
}

function boundFacts({ gameId, recipientId, detailNo, identityId, holderKind, method, country, mask, fingerprint }: SealedFor): unknown[] {
  const hex = fingerprint === null ? null : Buffer.from(fingerprint).toString('hex');
  return [2, gameId, recipientId, detailNo, identityId, holderKind, method, country, mask, hex];
}
