import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { DETAIL_FIELDS, type TypedDetails } from './rules/details.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Sealed bytes have a multiple of this length, so that it says little about the entries. */
const BLOCK = 128;

/** What sealed entries are bound to: in another row they don't open. */
export interface SealedFor {
  gameId: number;
  recipientId: number;
  detailNo: number;
}

/** SHAREBOOK_PAYEE_KEY: 32 bytes. */
export type PayeeKey = Uint8Array;

/** The name of a key, stored beside what it seals: the first characters of its SHA-256. */
export function nameKey(key: PayeeKey): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}

/** Seals the entries of payment details: nonce, ciphertext and tag. */
export function sealEntries(entries: TypedDetails, bound: SealedFor, key: PayeeKey): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const text = Buffer.from(JSON.stringify(entries));
  const padded = Buffer.concat([text, Buffer.alloc(BLOCK - (text.length % BLOCK), ' ')]);
  const cipher = createCipheriv(CIPHER, deriveKey(key, 'sharebook payment details'), nonce).setAAD(boundBytes(bound));
  return Buffer.concat([nonce, cipher.update(padded), cipher.final(), cipher.getAuthTag()]);
}

/** Opens sealed entries; null when they were sealed under another key, for another row, or were changed. */
export function openEntries(sealed: Uint8Array, bound: SealedFor, key: PayeeKey): TypedDetails | null {
  if (sealed.length <= NONCE_BYTES + TAG_BYTES) return null;
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, deriveKey(key, 'sharebook payment details'), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(boundBytes(bound)).setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    const text = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
    const opened = Object.entries(JSON.parse(text) as Record<string, unknown>);
    return Object.fromEntries(
      DETAIL_FIELDS.flatMap((field) => opened.filter(([name, value]) => name === field && typeof value === 'string')),
    );
  } catch {
    return null;
  }
}

/** The fingerprint of an account: equal ones of a game have equal fingerprints, and nobody without the key can try accounts. */
export function fingerprintOf(account: string, gameId: number, key: PayeeKey): Buffer {
  return createHmac('sha256', deriveKey(key, 'sharebook payment details fingerprint')).update(`${gameId} ${account}`).digest();
}

const derived = new WeakMap<PayeeKey, Map<string, Buffer>>();

/** Keys are derived once: an import seals a hundred thousand rows. */
function deriveKey(key: PayeeKey, purpose: string): Buffer {
  const known = derived.get(key) ?? new Map<string, Buffer>();
  derived.set(key, known);
  const found = known.get(purpose) ?? Buffer.from(hkdfSync('sha256', key, '', purpose, 32));
  known.set(purpose, found);
  return found;
}

function boundBytes({ gameId, recipientId, detailNo }: SealedFor): Buffer {
  return Buffer.from(`${gameId} ${recipientId} ${detailNo}`);
}
