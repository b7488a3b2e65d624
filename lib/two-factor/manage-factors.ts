import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { type Actor, orderRoles, type Role } from '#lib/core/roles.ts';
import { announcePerson } from '#lib/notices/announce.ts';
import { type AccessChange, type AccountWait, changeAsAdmin } from '#lib/people/manage-people.ts';
import { insertDoubt } from '#lib/people/writes/confirmations.ts';
import { changePeople, deleteSessions, listStoredPeople, updatePerson } from '#lib/people/writes/people.ts';
import { findFactor, listRequiredRoles } from './reads.ts';
import { rolesThatNeed } from './rules/code.ts';
import { makeBackupCodes } from './set-up-factor.ts';
import type { FactorRefusal } from './text.ts';
import { deleteFactor, replaceRequiredRoles } from './writes.ts';

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
