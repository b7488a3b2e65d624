import { randomBytes } from 'node:crypto';
import { base32 } from '@better-auth/utils/base32';
import { createOTP } from '@better-auth/utils/otp';
import { CODE_DIGITS, STEP_SECONDS, STEPS_AROUND } from './rules/code.ts';

const OPTIONS = { digits: CODE_DIGITS, period: STEP_SECONDS };
const SECRET_LENGTH = 20;

/** Makes the secret of an authenticator app: 140 random bits as 20 ASCII characters, because the library takes a secret as text. */
export function makeSecret(): string {
  return String.fromCharCode(...randomBytes(SECRET_LENGTH).map((byte) => byte & 0x7f));
}

/** A secret as a person types it into their app: base32, 32 characters. */
export function encodeSecret(secret: string): string {
  return base32.encode(secret, { padding: false });
}

/** A secret as an authenticator app opens it, with the email it is for. */
export function formatUri(secret: string, email: string): string {
  return createOTP(secret, OPTIONS).url('Sharebook', email);
}

/** The code of a secret at a time step. */
export async function computeCode(secret: string, step: number): Promise<string> {
  return await createOTP(secret, OPTIONS).hotp(step);
}

/**
 * Finds the newest time step, around the given one, at which a secret has these digits; null: none. The library's own check takes no clock and
 * doesn't say which step matched, so it couldn't accept a code only once.
 */
export async function findStep(secret: string, digits: string, step: number): Promise<number | null> {
  let found: number | null = null;
  for (let each = step - STEPS_AROUND; each <= step + STEPS_AROUND; each += 1)
    if ((await computeCode(secret, each)) === digits) found = each;
  return found;
}
