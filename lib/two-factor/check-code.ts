import { randomBytes } from 'node:crypto';
import { type Db, inTransaction } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { sha256Of } from '#lib/core/canonical-digest.ts';
import { countSignIn, forgetSignIns, type SignInAttempt } from '#lib/people/count-sign-in.ts';
import { findFactor, findStartedSignIn } from './reads.ts';
import { parseCode, SECOND_STEP_MINUTES, stepOf } from './rules/code.ts';
import type { CodeRefusal } from './text.ts';
import { findStep, openSecret } from './totp.ts';
import { deleteStartedSignIn, insertStartedSignIn, useBackupCode, useStep } from './writes.ts';

export interface GivenCode {
  person: { id: string; email: string };
  /** As typed. */
  code: string;
  now: string;
  /** SHAREBOOK_AUTH_SECRET, under which secrets are sealed. */
  authSecret: string;
}

export type CodeChecked = { ok: true; by: 'app' | 'backup code' } | { ok: false; reason: CodeRefusal };

/** Checks a code of a person's second factor and uses it up: a code of the app and a backup code work once, however many requests give it at once. */
export async function spendCode(db: Db, { person, code, now, authSecret }: GivenCode): Promise<CodeChecked> {
  const typed = parseCode(code);
  if (typed === null) return { ok: false, reason: 'malformed_code' };
  const factor = await findFactor(db, person.id);
  if (!factor?.isConfirmed) return { ok: false, reason: 'no_factor' };
  if (typed.kind === 'backup') {
    const end = await spendBackupCode(db, person, typed.code);
    if (end === 'used_now') return { ok: true, by: 'backup code' };
    return { ok: false, reason: end === 'used_before' ? 'used_backup_code' : 'wrong_code' };
  }
  const { sealedSecret } = factor;
  const secret = openSecret(sealedSecret, person.id, authSecret);
  if (secret === null) return { ok: false, reason: 'unreadable_secret' };
  const step = findStep(secret, typed.digits, stepOf(now));
  if (step === null) return { ok: false, reason: 'wrong_code' };
  return (await useStep(db, { personId: person.id, sealedSecret, step })) ? { ok: true, by: 'app' } : { ok: false, reason: 'used_code' };
}

async function spendBackupCode(db: Db, { id, email }: GivenCode['person'], code: string): ReturnType<typeof useBackupCode> {
  return await inTransaction(db, async (trx) => {
    const end = await useBackupCode(trx, id, digestBackupCode(code));
    if (end === 'used_now') await recordAudit(trx, { actor: email, act: 'used a backup code', subject: email });
    return end;
  });
}

/** What is stored of a backup code, given without its hyphens. */
export function digestBackupCode(code: string): Buffer {
  return sha256Of(`backup code ${code}`);
}

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
