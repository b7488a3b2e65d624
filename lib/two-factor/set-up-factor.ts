import { randomInt } from 'node:crypto';
import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import type { Actor } from '#lib/core/roles.ts';
import { changePeople, deleteOtherSessions } from '#lib/people/writes/people.ts';
import { digestBackupCode, type GivenCode } from './check-code.ts';
import { findFactor } from './reads.ts';
import { BACKUP_CODE_ALPHABET, BACKUP_CODE_COUNT, BACKUP_CODE_LENGTH, formatGroups, parseCode, stepOf } from './rules/code.ts';
import type { CodeRefusal, FactorRefusal } from './text.ts';
import { encodeSecret, findStep, formatUri, makeSecret, openSecret, sealSecret } from './totp.ts';
import { confirmFactor, replaceBackupCodes, storeNewSecret } from './writes.ts';

export type SetUpStarted =
  | {
      ok: true;
      /** Base32 in groups of four, to type into an app. Shown once. */
      secret: string;
      /** The same for an app that opens or scans it. */
      uri: string;
    }
  | { ok: false; reason: FactorRefusal };

/** Creates the secret of a person's authenticator app and stores it sealed. No code is required before the first one was right. */
export async function startSetUp(db: Db, actor: Actor, authSecret: string): Promise<SetUpStarted> {
  const secret = makeSecret();
  const isStored = await storeNewSecret(db, actor.id, sealSecret(secret, actor.id, authSecret));
  if (!isStored) return { ok: false, reason: 'already_on' };
  return { ok: true, secret: formatGroups(encodeSecret(secret), ' '), uri: formatUri(secret, actor.email) };
}

export type SetUpConfirmed = { ok: true; backupCodes: string[] } | { ok: false; reason: FactorRefusal | CodeRefusal };

export interface FirstCode extends Omit<GivenCode, 'person'> {
  actor: Actor;
  /** Digest of the token of the session in which it is set up, which stays; the person's other sessions end. */
  tokenDigest: string;
}

/** Turns a second factor on by its first code, and makes the backup codes, which are returned once and stored as digests. */
export async function confirmSetUp(db: Db, { actor, tokenDigest, code, now, authSecret }: FirstCode): Promise<SetUpConfirmed> {
  const typed = parseCode(code);
  if (typed?.kind !== 'app') return { ok: false, reason: 'malformed_code' };
  const factor = await findFactor(db, actor.id);
  if (factor === null) return { ok: false, reason: 'not_started' };
  if (factor.isConfirmed) return { ok: false, reason: 'already_on' };
  const { sealedSecret } = factor;
  const secret = openSecret(sealedSecret, actor.id, authSecret);
  const step = secret === null ? null : findStep(secret, typed.digits, stepOf(now));
  if (step === null) return { ok: false, reason: 'wrong_code' };
  return await changePeople<SetUpConfirmed>(db, async (trx) => {
    if (!(await confirmFactor(trx, { personId: actor.id, sealedSecret, step }))) return { ok: false, reason: 'not_started' };
    const backupCodes = await makeBackupCodes(trx, actor.id);
    await deleteOtherSessions(trx, actor.id, tokenDigest);
    await recordAudit(trx, { actor: actor.email, act: 'turned on two-factor authentication', subject: actor.email });
    return { ok: true, backupCodes };
  });
}

/** Makes new backup codes, as a person reads them; earlier ones no longer work. */
export async function makeBackupCodes(db: Db, personId: string): Promise<string[]> {
  const codes = Array.from({ length: BACKUP_CODE_COUNT }, makeBackupCode);
  await replaceBackupCodes(db, personId, codes.map(digestBackupCode));
  return codes.map((code) => formatGroups(code, '-'));
}

function makeBackupCode(): string {
  return Array.from({ length: BACKUP_CODE_LENGTH }, () => BACKUP_CODE_ALPHABET[randomInt(BACKUP_CODE_ALPHABET.length)]).join('');
}
