import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { newerValues } from '#db/kit/upsert.ts';
import type { Role } from '#lib/core/roles.ts';

const NOW = sql<string>`clock_now()`;

/** Stores a new secret until its first code arrives; one that waited before is replaced. False: the person has a second factor already. */
export async function storeNewSecret(db: Db, personId: string, sealedSecret: Buffer): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('second_factor')
    .values({ person_id: personId, sealed_secret: sealedSecret })
    .onConflict((conflict) =>
      conflict
        .column('person_id')
        .doUpdateSet(newerValues('second_factor', { columns: ['sealed_secret', 'made_at'] }))
        .where('second_factor.confirmed_at', 'is', null),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export interface UsedStep {
  personId: string;
  /** The secret that the code was checked with. */
  sealedSecret: Buffer;
  step: number;
}

/** Turns a second factor on by its first code. False: it was turned on or replaced in the meantime. */
export async function confirmFactor(db: Db, { personId, sealedSecret, step }: UsedStep): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('second_factor')
    .set({ confirmed_at: NOW, last_step: step })
    .where('person_id', '=', personId)
    .where('sealed_secret', '=', sealedSecret)
    .where('confirmed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Uses up the code of a time step and all before it, in one statement: of two at once, one gets it. False: it was used. */
export async function useStep(db: Db, { personId, sealedSecret, step }: UsedStep): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('second_factor')
    .set({ last_step: step })
    .where('person_id', '=', personId)
    .where('sealed_secret', '=', sealedSecret)
    .where('last_step', '<', step)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Uses up a backup code, in one statement. */
export async function useBackupCode(db: Db, personId: string, codeDigest: Buffer): Promise<'used_now' | 'used_before' | 'unknown'> {
  const ofCode = { person_id: personId, code_digest: codeDigest };
  const { numUpdatedRows } = await db
    .updateTable('backup_code')
    .set({ used_at: NOW })
    .where((where) => where.and(ofCode))
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 1n) return 'used_now';
  const known = await db
    .selectFrom('backup_code')
    .select('used_at')
    .where((where) => where.and(ofCode))
    .executeTakeFirst();
  return known === undefined ? 'unknown' : 'used_before';
}

/** Gives a person these backup codes, and none of the earlier ones. */
export async function replaceBackupCodes(db: Db, personId: string, codeDigests: Buffer[]): Promise<void> {
  await db.deleteFrom('backup_code').where('person_id', '=', personId).execute();
  await db
    .insertInto('backup_code')
    .values(codeDigests.map((code_digest) => ({ person_id: personId, code_digest })))
    .execute();
}

/** Removes the second factor of a person with its backup codes. False: there was none that was set up. */
export async function deleteFactor(db: Db, personId: string): Promise<boolean> {
  await db.deleteFrom('backup_code').where('person_id', '=', personId).execute();
  const row = await db.deleteFrom('second_factor').where('person_id', '=', personId).returning('confirmed_at').executeTakeFirst();
  return row !== undefined && row.confirmed_at !== null;
}

/** Requires a second factor of the people of these roles, and of no other. */
export async function replaceRequiredRoles(db: Db, roles: readonly Role[], requiredBy: string): Promise<void> {
  await db
    .deleteFrom('second_factor_role')
    .where('role', 'not in', roles.length === 0 ? [''] : [...roles])
    .execute();
  for (const role of roles)
    await db
      .insertInto('second_factor_role')
      .values({ role, required_by: requiredBy })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** Records that a password was right, so that the code may follow; what nobody finished in time is deleted. */
export async function insertStartedSignIn(db: Db, tokenDigest: Buffer, personId: string, validFor_minutes: number): Promise<void> {
  await db.deleteFrom('started_sign_in').where('expires_at', '<=', NOW).execute();
  const expires_at = sql<string>`clock_now() + make_interval(mins => ${validFor_minutes})`;
  await db.insertInto('started_sign_in').values({ token_digest: tokenDigest, person_id: personId, expires_at }).execute();
}

/** Uses up a sign-in whose password was right. False: another request did, or its time is over. */
export async function deleteStartedSignIn(db: Db, tokenDigest: Buffer): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('started_sign_in')
    .where('token_digest', '=', tokenDigest)
    .where('expires_at', '>', NOW)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}
