import { type Db, inTransaction } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { sha256Of } from '#lib/core/canonical-digest.ts';
import { findFactor } from './reads.ts';
import { parseCode, stepOf } from './rules/code.ts';
import type { CodeRefusal } from './text.ts';
import { findStep, openSecret } from './totp.ts';
import { useBackupCode, useStep } from './writes.ts';

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
