import { createHash } from 'node:crypto';
import type { Db } from '#db/kit/open.ts';
import { clearAttempts, countAttempts, deleteAttempt, insertAttempt } from '#db/people/writes/sign-in-attempts.ts';

const ATTEMPTS_PER_EMAIL_MAX = 10;
const ATTEMPTS_PER_SOURCE_MAX = 100;
const ATTEMPTS_WINDOW_MINUTES = 15;

export interface SignInAttempt {
  email: string;
  /** Where it comes from, as the server in front says. */
  source: string;
}

export type SignInCounted = { ok: true } | { ok: false; reason: 'too_many_attempts' };

/**
 * Counts an attempt to sign in before any password is looked at: ten of one address and a hundred from one source in a quarter of
 * an hour, whether or not there is such a person. A refused attempt is not counted, so nobody is kept out longer by it.
 */
export async function countSignIn(db: Db, attempt: SignInAttempt): Promise<SignInCounted> {
  const digests = { emailDigest: digest(attempt.email.trim().toLowerCase()), sourceDigest: digest(attempt.source) };
  const attemptId = await insertAttempt(db, digests);
  const counted = await countAttempts(db, digests, ATTEMPTS_WINDOW_MINUTES);
  if (counted.ofEmail <= ATTEMPTS_PER_EMAIL_MAX && counted.ofSource <= ATTEMPTS_PER_SOURCE_MAX) return { ok: true };
  await deleteAttempt(db, attemptId);
  return { ok: false, reason: 'too_many_attempts' };
}

/** Forgets the attempts of an address whose owner has signed in, and all that are too old to count. */
export async function forgetSignIns(db: Db, email: string): Promise<void> {
  await clearAttempts(db, digest(email.trim().toLowerCase()), ATTEMPTS_WINDOW_MINUTES);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
