import { createHash } from 'node:crypto';
import type { Db } from '#db/kit/open.ts';
import { clearAttempts, countAttempts, deleteAttempt, insertAttempt } from '#db/people/writes.ts';

const ATTEMPTS_PER_EMAIL_MAX = 10;
const ATTEMPTS_PER_SOURCE_MAX = 100;
const ATTEMPTS_WINDOW_MINUTES = 15;

export interface SignInAttempt {
  email: string;
  /** Address of the client, as the server in front reports it. */
  source: string;
}

export type SignInCounted = { ok: true } | { ok: false; reason: 'too_many_attempts' };

/**
 * Counts a sign-in attempt before the password is checked: at most 10 per email and 100 per source in 15 minutes, whether or not
 * the person exists. A refused attempt is not counted, so it does not prolong the wait.
 */
export async function countSignIn(db: Db, attempt: SignInAttempt): Promise<SignInCounted> {
  const digests = { emailDigest: digest(attempt.email.trim().toLowerCase()), sourceDigest: digest(attempt.source) };
  const attemptId = await insertAttempt(db, digests);
  const counted = await countAttempts(db, digests, ATTEMPTS_WINDOW_MINUTES);
  if (counted.ofEmail <= ATTEMPTS_PER_EMAIL_MAX && counted.ofSource <= ATTEMPTS_PER_SOURCE_MAX) return { ok: true };
  await deleteAttempt(db, attemptId);
  return { ok: false, reason: 'too_many_attempts' };
}

/** Deletes the attempts of an email that signed in, and all that are too old to count. */
export async function forgetSignIns(db: Db, email: string): Promise<void> {
  await clearAttempts(db, digest(email.trim().toLowerCase()), ATTEMPTS_WINDOW_MINUTES);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
