import { randomBytes } from 'node:crypto';
import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { sha256Of } from '#lib/core/canonical-digest.ts';
import { countSignIn, forgetSignIns, type SignInAttempt } from '#lib/people/count-sign-in.ts';
import { type GivenCode, spendCode } from './check-code.ts';
import { findStartedSignIn } from './reads.ts';
import { parseCode, SECOND_STEP_MINUTES } from './rules/code.ts';
import type { CodeRefusal } from './text.ts';
import { deleteStartedSignIn, insertStartedSignIn } from './writes.ts';

/** Records that the password of a person was right and their code is still to come. Returns the token for their browser, which is stored nowhere. */
export async function startSecondStep(db: Db, personId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await insertStartedSignIn(db, sha256Of(token), personId, SECOND_STEP_MINUTES);
  return token;
}

/** The person whose password was right in this browser within five minutes, by its token; null: nobody's. */
export async function findSecondStep(db: Db, token: string): Promise<{ personId: string; email: string } | null> {
  return await findStartedSignIn(db, sha256Of(token));
}

export interface SecondStep extends Omit<GivenCode, 'person'> {
  token: string;
  /** What this attempt counts as. Its email is that of the person of the token. */
  attempt: SignInAttempt;
}

export type SecondStepDone =
  | { ok: true; personId: string; email: string; by: 'app' | 'backup code' }
  | { ok: false; reason: CodeRefusal | 'too_many_attempts' | 'expired_sign_in' };

/**
 * Checks the code of a sign-in whose password was right, and ends the step: it opens one session. Wrong codes count as wrong passwords do and are
 * recorded; what can't be a code isn't counted.
 */
export async function finishSecondStep(db: Db, { token, attempt, ...given }: SecondStep): Promise<SecondStepDone> {
  if (parseCode(given.code) === null) return { ok: false, reason: 'malformed_code' };
  const started = await findSecondStep(db, token);
  if (started === null) return { ok: false, reason: 'expired_sign_in' };
  const attempts = attemptsOf(started.email, attempt);
  for (const each of attempts) {
    const counted = await countSignIn(db, each);
    if (!counted.ok) return counted;
  }
  const checked = await spendCode(db, { ...given, person: { id: started.personId, email: started.email } });
  if (!checked.ok) {
    const detail = { at: 'sign-in', reason: checked.reason };
    await recordAudit(db, { actor: started.email, act: 'gave a wrong code', subject: 'Sharebook', detail });
    return checked;
  }
  for (const each of attempts) await forgetSignIns(db, each);
  if (!(await deleteStartedSignIn(db, sha256Of(token)))) return { ok: false, reason: 'expired_sign_in' };
  return { ok: true, ...started, by: checked.by };
}

/**
 * What a code counts as: an attempt to sign in as any other, and outside the browsers in which the person signed in before also one of ten for them,
 * whatever the source: six digits are guessed sooner than a password.
 */
function attemptsOf(email: string, attempt: SignInAttempt): SignInAttempt[] {
  const ofPerson = { email: `code of ${email}`, source: 'any source', browser: null };
  return [{ ...attempt, email }, ...(attempt.browser === null ? [ofPerson] : [])];
}
