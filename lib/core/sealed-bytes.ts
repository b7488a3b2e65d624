import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What sealed bytes are bound to: for another purpose or elsewhere they don't open. */
interface SealedFor {
  /** The key of the seal is derived by it. */
  purpose: string;
  bound: readonly unknown[];
}

/** Seals bytes: nonce, ciphertext and tag. */
export function seal(bytes: Uint8Array, { purpose, bound }: SealedFor, key: KeyObject | Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(key, purpose), nonce).setAAD(Buffer.from(JSON.stringify(bound)));
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** Opens sealed bytes; null when they were sealed under another key or for something else, or were changed. */
export function unseal(sealed: Uint8Array, { purpose, bound }: SealedFor, key: KeyObject | Uint8Array): Buffer | null {
  if (sealed.length <= NONCE_BYTES + TAG_BYTES) return null;
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, keyOf(key, purpose), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(JSON.stringify(bound))).setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}

/** Derives the key of a purpose; a key object is one that was derived before. */
export function deriveKey(key: Uint8Array, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key, '', purpose, 32)));
}

function keyOf(key: KeyObject | Uint8Array, purpose: string): KeyObject {
  return key instanceof Uint8Array ? deriveKey(key, purpose) : key;
}
