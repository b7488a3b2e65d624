import { randomInt } from 'node:crypto';
import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { type Actor, orderRoles, type Role } from '#lib/core/roles.ts';
import { announcePerson } from '#lib/notices/announce.ts';
import { type AccessChange, changeAsAdmin } from '#lib/people/manage-people.ts';
import type { AccountWait } from '#lib/people/rules/person.ts';
import { insertDoubt } from '#lib/people/writes/confirmations.ts';
import { changePeople, deleteOtherSessions, deleteSessions, listStoredPeople, updatePerson } from '#lib/people/writes/people.ts';
import { digestBackupCode, type GivenCode } from './check-code.ts';
import { findFactor, listRequiredRoles } from './reads.ts';
import {
  BACKUP_CODE_ALPHABET,
  BACKUP_CODE_COUNT,
  BACKUP_CODE_LENGTH,
  formatGroups,
  parseCode,
  rolesThatNeed,
  stepOf,
} from './rules/code.ts';
import type { CodeRefusal, FactorRefusal } from './text.ts';
import { encodeSecret, findStep, formatUri, makeSecret, openSecret, sealSecret } from './totp.ts';
import { confirmFactor, deleteFactor, replaceBackupCodes, replaceRequiredRoles, storeNewSecret } from './writes.ts';

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
async function makeBackupCodes(db: Db, personId: string): Promise<string[]> {
  const codes = Array.from({ length: BACKUP_CODE_COUNT }, makeBackupCode);
  await replaceBackupCodes(db, personId, codes.map(digestBackupCode));
  return codes.map((code) => formatGroups(code, '-'));
}

function makeBackupCode(): string {
  return Array.from({ length: BACKUP_CODE_LENGTH }, () => BACKUP_CODE_ALPHABET[randomInt(BACKUP_CODE_ALPHABET.length)]).join('');
}

export type FactorChanged = { ok: true } | { ok: false; reason: FactorRefusal };

/** Turns off a person's own second factor, unless one of the roles they have now needs it. */
export async function turnOffFactor(db: Db, actor: Actor): Promise<FactorChanged> {
  return await changePeople<FactorChanged>(db, async (trx) => {
    const person = (await listStoredPeople(trx)).find(({ id }) => id === actor.id);
    if (person === undefined || rolesThatNeed(person.roles, await listRequiredRoles(trx)).length > 0)
      return { ok: false, reason: 'required' };
    if (!(await deleteFactor(trx, actor.id))) return { ok: false, reason: 'not_on' };
    await recordAudit(trx, { actor: actor.email, act: 'turned off two-factor authentication', subject: actor.email });
    return { ok: true };
  });
}

export type BackupCodesMade = { ok: true; backupCodes: string[] } | { ok: false; reason: FactorRefusal };

/** Makes new backup codes for a person's own second factor; earlier ones no longer work. */
export async function renewBackupCodes(db: Db, actor: Actor): Promise<BackupCodesMade> {
  return await changePeople<BackupCodesMade>(db, async (trx) => {
    if (!(await findFactor(trx, actor.id))?.isConfirmed) return { ok: false, reason: 'not_on' };
    const backupCodes = await makeBackupCodes(trx, actor.id);
    await recordAudit(trx, { actor: actor.email, act: 'made new backup codes', subject: actor.email });
    return { ok: true, backupCodes };
  });
}

/**
 * Removes another person's second factor, for someone who lost their phone and their backup codes. It signs them out everywhere, takes
 * the account's confirmation away and lets it wait as after a new password link: the password alone opens it until they set it up again.
 */
export async function resetFactor(db: Db, { actorId, personId }: AccessChange, { accountWait_hours }: AccountWait): Promise<FactorChanged> {
  return await changeAsAdmin<FactorChanged>(db, actorId, 'reset two-factor authentication', async ({ trx, admin, people }) => {
    const person = people.find(({ id }) => id === personId);
    if (person === undefined) return { ok: false, reason: 'unknown_person' };
    if (person.id === admin.id) return { ok: false, reason: 'own_factor' };
    if (!(await deleteFactor(trx, personId))) return { ok: false, reason: 'not_on' };
    await updatePerson(trx, personId, { countsAfter_hours: accountWait_hours });
    await insertDoubt(trx, { personId, by: admin.id, basis: 'factor_reset' });
    await deleteSessions(trx, personId);
    await recordAudit(trx, { actor: admin.email, act: 'reset two-factor authentication', subject: person.email });
    await announcePerson(trx, { kind: 'factor_reset', actorId: admin.id, person });
    return { ok: true };
  });
}

/**
 * Decides which roles need a second factor. Who requires it for a role of their own has one, so that no admin locks themself out. People who
 * have none are led to the set-up with their next request.
 */
export async function requireFactor(
  db: Db,
  { actorId, roles: given }: { actorId: string; roles: readonly Role[] },
): Promise<FactorChanged> {
  const roles = orderRoles(given);
  return await changeAsAdmin<FactorChanged>(db, actorId, 'require two-factor authentication', async ({ trx, admin }) => {
    const before = orderRoles(await listRequiredRoles(trx));
    if (before.join() === roles.join()) return { ok: false, reason: 'no_changes' };
    const isOwn = rolesThatNeed(admin.roles, roles).length > 0;
    if (isOwn && !(await findFactor(trx, admin.id))?.isConfirmed) return { ok: false, reason: 'own_role_without' };
    await replaceRequiredRoles(trx, roles, admin.id);
    await recordAudit(trx, {
      actor: admin.email,
      act: 'changed which roles need two-factor authentication',
      subject: 'Sharebook',
      detail: { before, after: roles },
    });
    await announcePerson(trx, { kind: 'factor_requirement', actorId: admin.id, person: { name: 'Two-factor authentication' }, roles });
    return { ok: true };
  });
}
