import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { HOTP, Secret, TOTP } from 'otpauth';
import { CODE_DIGITS, STEP_SECONDS, STEPS_AROUND } from './rules/code.ts';

/** 160 bits, as RFC 4226 recommends. Secrets made by earlier versions have 20 bytes too, of seven random bits each. */
const SECRET_BYTES = 20;

/** Makes the secret of an authenticator app. */
export function makeSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** A secret as a person types it into their app: base32, 32 characters. */
export function encodeSecret(secret: Uint8Array): string {
  return openKey(secret).base32;
}

/** A secret as an authenticator app opens it, with the email it is for. */
export function formatUri(secret: Uint8Array, email: string): string {
  return new TOTP({ issuer: 'Sharebook', label: email, secret: openKey(secret), digits: CODE_DIGITS, period: STEP_SECONDS }).toString();
}

/** The code of a secret at a time step. */
export function computeCode(secret: Uint8Array, step: number): string {
  return HOTP.generate({ secret: openKey(secret), digits: CODE_DIGITS, counter: step });
}

/** Finds the time step, around the given one, at which a secret has these digits; null: none. */
export function findStep(secret: Uint8Array, digits: string, step: number): number | null {
  const away = HOTP.validate({ token: digits, secret: openKey(secret), digits: CODE_DIGITS, counter: step, window: STEPS_AROUND });
  return away === null ? null : step + away;
}

function openKey(secret: Uint8Array): Secret {
  return new Secret({ buffer: Uint8Array.from(secret).buffer });
}

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
