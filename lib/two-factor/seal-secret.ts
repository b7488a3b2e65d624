import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals the secret of an authenticator app, bound to its person: nonce, ciphertext and tag. The key follows from SHAREBOOK_AUTH_SECRET. */
export function sealSecret(secret: Uint8Array, personId: string, authSecret: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, deriveKey(authSecret), nonce).setAAD(Buffer.from(personId));
  return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
}

/** Opens a sealed secret; null when it was sealed under another SHAREBOOK_AUTH_SECRET, for another person, or was changed. */
export function openSecret(sealed: Buffer, personId: string, authSecret: string): Buffer | null {
  if (sealed.length <= NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, deriveKey(authSecret), sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(personId)).setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}

function deriveKey(authSecret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', authSecret, '', 'sharebook second factor', 32));
}
