import type { Db } from '#db/kit/open.ts';
import { sha256Of } from '../core/canonical-digest.ts';
import {
  type AttemptCounts,
  type AttemptDigests,
  clearAttempts,
  countAttempts,
  deleteAttempt,
  insertAttempt,
  purgeAttempts,
} from './writes/people.ts';

const ATTEMPTS_WINDOW_MINUTES = 15;
/** Of one email from one source, and of one known browser. */
const ATTEMPTS_MAX = 10;
/** Of one source whatever the email, and of one email whatever the source. */
const ATTEMPTS_OF_MANY_MAX = 100;

export interface SignInAttempt {
  email: string;
  /** Address of the client: of the connection, or as the trusted servers in front report it. */
  source: string;
  /** The mark of a browser in which this email signed in before; null: it has none. */
  browser: string | null;
}

export type SignInCounted = { ok: true } | { ok: false; reason: 'too_many_attempts' };

/**
 * Counts a sign-in attempt before the password is checked, whether or not the person exists: at most 10 in 15 minutes of an email from one
 * source, and 100 of a source and of an email. A browser in which the email signed in before has ten attempts of its own, so that nobody else's
 * wrong passwords lock a person out. A refused attempt is not counted, so it does not prolong the wait.
 */
export async function countSignIn(db: Db, attempt: SignInAttempt): Promise<SignInCounted> {
  await purgeAttempts(db, ATTEMPTS_WINDOW_MINUTES);
  const digests = digestsOf(attempt);
  const attemptId = await insertAttempt(db, digests);
  const counts = await countAttempts(db, digests, ATTEMPTS_WINDOW_MINUTES);
  if (isAllowed(counts, digests.browser_digest !== null)) return { ok: true };
  await deleteAttempt(db, attemptId);
  return { ok: false, reason: 'too_many_attempts' };
}

function isAllowed({ ofBrowser, ofEmail, ofSource, ofEmailAndSource }: AttemptCounts, isKnownBrowser: boolean): boolean {
  if (isKnownBrowser) return ofBrowser <= ATTEMPTS_MAX;
  return ofEmailAndSource <= ATTEMPTS_MAX && ofSource <= ATTEMPTS_OF_MANY_MAX && ofEmail <= ATTEMPTS_OF_MANY_MAX;
}

/** Deletes the attempts of an email that signed in, from its source and its browser. */
export async function forgetSignIns(db: Db, attempt: SignInAttempt): Promise<void> {
  await clearAttempts(db, digestsOf(attempt));
}

function digestsOf({ email, source, browser }: SignInAttempt): AttemptDigests {
  return {
    email_digest: sha256Of(email.trim().toLowerCase()),
    source_digest: sha256Of(source),
    browser_digest: browser === null ? null : sha256Of(browser),
  };
}
