import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { BusyError, hashPassword, verifyPassword } from './password.ts';
import { findSignInCandidate } from './reads.ts';
import { digestToken, makeToken } from './session-token.ts';
import { deleteEndedSessions, insertSession } from './writes/people.ts';

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
