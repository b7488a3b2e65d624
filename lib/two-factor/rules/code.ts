import { toMicroseconds } from '#lib/core/instant.ts';
import type { Role } from '#lib/core/roles.ts';

/** A code of an authenticator app: six digits for 30 seconds (RFC 6238 with the values that every app supports). */
export const CODE_DIGITS = 6;
export const STEP_SECONDS = 30;

/** Codes of the step before and after count too: clocks of phones differ, and a person needs time to type. */
export const STEPS_AROUND = 1;

/** Backup codes of a person, and letters and digits of one: 80 random bits, so that its digest tells nothing. */
export const BACKUP_CODE_COUNT = 10;
export const BACKUP_CODE_LENGTH = 16;

/** Digits and lower-case letters without those that are easily taken for another: i, l, o and u. */
export const BACKUP_CODE_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** The minutes that a person has for the code once their password was right. */
export const SECOND_STEP_MINUTES = 5;

export type TypedCode = { kind: 'app'; digits: string } | { kind: 'backup'; code: string };

/** Parses what a person typed as a code: six digits of their app, or a backup code. Spaces, hyphens and case make no difference. Null: neither. */
export function parseCode(text: string): TypedCode | null {
  const code = text.replace(/[\s-]/g, '').toLowerCase();
  if (/^[0-9]{6}$/.test(code)) return { kind: 'app', digits: code };
  const isBackup = code.length === BACKUP_CODE_LENGTH && [...code].every((letter) => BACKUP_CODE_ALPHABET.includes(letter));
  return isBackup ? { kind: 'backup', code } : null;
}

/** The time step of an instant: whole periods of 30 seconds since 1970. */
export function stepOf(now: string): number {
  return Number(toMicroseconds(now) / BigInt(STEP_SECONDS * 1_000_000));
}

/** A secret or a backup code in groups of four, as a person reads it. */
export function formatGroups(text: string, separator: string): string {
  return (text.match(/.{1,4}/g) ?? []).join(separator);
}

/** The roles of a person that need a second factor. */
export function rolesThatNeed(roles: readonly Role[], requiredRoles: readonly Role[]): Role[] {
  return roles.filter((role) => requiredRoles.includes(role));
}
