import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { spendCode } from '#lib/two-factor/check-code.ts';
import { findFactor } from '#lib/two-factor/reads.ts';
import { parseCode } from '#lib/two-factor/rules/code.ts';
import type { CodeRefusal } from '#lib/two-factor/text.ts';
import type { Actor } from '../core/roles.ts';
import { countSignIn, forgetSignIns } from './count-sign-in.ts';
import { BusyError, hashPassword, verifyPassword } from './password.ts';
import { findPasswordHash, findSignInCandidate } from './reads.ts';
import { digestToken, makeToken } from './session-token.ts';
import { deleteEndedSessions, insertSession, replaceToken } from './writes/people.ts';

/**
 * How a sign-in ended. `refused` for an unknown email, a wrong password and a disabled person alike; `busy`: nothing was checked; `code_needed`: the
 * password was right and the person has a second factor, so there is no session yet.
 */
export type SignInEnd =
  | { kind: 'opened' /** For the browser; stored nowhere. */; token: string }
  | { kind: 'code_needed'; personId: string }
  | { kind: 'refused' }
  | { kind: 'busy' };

interface Passwords {
  hash: typeof hashPassword;
  verify: typeof verifyPassword;
}

/** Signs a person in by email and password. Who doesn't exist costs the hash of a password too, so that the time tells nothing. */
export async function signInByPassword(
  db: Db,
  { email, password }: { email: string; password: string },
  passwords: Passwords = { hash: hashPassword, verify: verifyPassword },
): Promise<SignInEnd> {
  const known = await findSignInCandidate(db, email.toLowerCase());
  try {
    const isRight = await isPassword(known?.hash ?? null, password, passwords);
    if (known === null || !isRight || known.isDisabled) return await refuse(db, known?.email);
  } catch (error) {
    if (error instanceof BusyError) return { kind: 'busy' };
    throw error;
  }
  if (known.hasFactor) return { kind: 'code_needed', personId: known.id };
  return await open(db, { personId: known.id, email: known.email }, null);
}

/** Signs in a person whose password and code were right; refused when they were disabled in between. `by`: what gave the code. */
export async function signInByCode(db: Db, person: { personId: string; email: string }, by: string): Promise<SignInEnd> {
  return await open(db, person, by);
}

async function open(db: Db, { personId, email }: { personId: string; email: string }, codeBy: string | null): Promise<SignInEnd> {
  const token = makeToken();
  const isOpen = await insertSession(db, { personId, tokenDigest: digestToken(token), hasGivenCode: codeBy !== null });
  if (!isOpen) return await refuse(db, email);
  await deleteEndedSessions(db);
  const detail = codeBy === null ? {} : { second_factor: codeBy };
  await recordAudit(db, { actor: email, act: 'signed in', subject: 'Sharebook', detail });
  return { kind: 'opened', token };
}

async function isPassword(hash: string | null, password: string, passwords: Passwords): Promise<boolean> {
  if (hash !== null) return await passwords.verify(hash, password);
  await passwords.hash(password);
  return false;
}

/** Without the email where nobody has it: it may be a password typed into the wrong field. */
async function refuse(db: Db, email: string | undefined): Promise<SignInEnd> {
  await recordAudit(db, { actor: email ?? 'unknown person', act: 'failed to sign in', subject: 'Sharebook' });
  return { kind: 'refused' };
}

export interface Proof {
  actor: Actor;
  /** Digest of the token of the session in which the password is given. */
  tokenDigest: string;
  password: string;
  /** Of the person's second factor, as typed; ignored where they have none. */
  code: string;
  now: string;
  /** SHAREBOOK_AUTH_SECRET, under which secrets are sealed. */
  authSecret: string;
}

export type Proved =
  | { ok: true /** Of the session from now on, for the browser. */; token: string }
  | { ok: false; reason: 'wrong_password' | 'too_many_attempts' | 'busy' | CodeRefusal };

/**
 * Records that a person gave their password again in their session, and a code where they have a second factor: both or nothing. The session gets another
 * token, so a cookie that was copied before gains nothing. Wrong ones are counted for that session alone, and recorded. A code is used up only with the
 * right password.
 */
export async function provePerson(db: Db, { actor, tokenDigest, password, ...given }: Proof): Promise<Proved> {
  const needsCode = (await findFactor(db, actor.id))?.isConfirmed ?? false;
  if (needsCode && parseCode(given.code) === null) return { ok: false, reason: 'malformed_code' };
  const attempt = { email: actor.email, source: 'signed in', browser: `session ${tokenDigest}` };
  const counted = await countSignIn(db, attempt);
  if (!counted.ok) return counted;
  try {
    if (!(await verifyPassword((await findPasswordHash(db, actor.id)) ?? '', password))) {
      await recordAudit(db, { actor: actor.email, act: 'gave a wrong password', subject: 'Sharebook' });
      return { ok: false, reason: 'wrong_password' };
    }
  } catch (error) {
    if (error instanceof BusyError) return { ok: false, reason: 'busy' };
    throw error;
  }
  const checked = needsCode ? await spendCode(db, { ...given, person: actor }) : null;
  if (checked?.ok === false) {
    await recordAudit(db, { actor: actor.email, act: 'gave a wrong code', subject: 'Sharebook', detail: { reason: checked.reason } });
    return checked;
  }
  await forgetSignIns(db, attempt);
  const token = makeToken();
  await replaceToken(db, tokenDigest, digestToken(token));
  return { ok: true, token };
}
