import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { spendCode } from '#lib/two-factor/check-code.ts';
import { findFactor } from '#lib/two-factor/reads.ts';
import { parseCode } from '#lib/two-factor/rules/code.ts';
import type { CodeRefusal } from '#lib/two-factor/text.ts';
import type { Actor } from '../core/roles.ts';
import { countSignIn, forgetSignIns } from './count-sign-in.ts';
import { BusyError, verifyPassword } from './password.ts';
import { findPasswordHash } from './reads.ts';
import { digestToken, makeToken } from './session-token.ts';
import { replaceToken } from './writes/people.ts';

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
