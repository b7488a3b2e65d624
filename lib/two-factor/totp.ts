import { randomBytes } from 'node:crypto';
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
