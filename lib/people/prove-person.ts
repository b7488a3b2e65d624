import { recordAudit } from '#db/audit/writes.ts';
import type { Db } from '#db/kit/open.ts';
import { findPasswordHash } from '#db/people/reads.ts';
import { recordProof } from '#db/people/writes.ts';
import type { Actor } from '../core/roles.ts';
import { countSignIn, forgetSignIns } from './count-sign-in.ts';
import { BusyError, verifyPassword } from './password.ts';

export interface Proof {
  actor: Actor;
  /** Digest of the token of the session in which the password is given. */
  tokenDigest: string;
  password: string;
}

export type Proved = { ok: true } | { ok: false; reason: 'wrong_password' | 'too_many_attempts' | 'busy' };

/** Records that a person gave their password again in their session. Wrong ones are counted for that session alone, and recorded. */
export async function provePerson(db: Db, { actor, tokenDigest, password }: Proof): Promise<Proved> {
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
  await forgetSignIns(db, attempt);
  await recordProof(db, tokenDigest);
  return { ok: true };
}
