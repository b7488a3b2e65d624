import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { Database } from '#db/types.ts';
import type { Role } from '#lib/core/roles.ts';

export type PeopleTransaction = Transaction<Database>;

export interface StoredPerson {
  id: string;
  email: string;
  name: string;
  role: Role;
  isDisabled: boolean;
  /** Has set a password, so can sign in unless disabled. */
  hasPassword: boolean;
}

/** Runs changes to people one after the other, whoever makes them: what each of them reads stays true until it is done. */
export async function changePeople<Result>(db: Db, change: (trx: PeopleTransaction) => Promise<Result>): Promise<Result> {
  return await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('people'))`.execute(trx);
    return await change(trx);
  });
}

/** Every person, admins and disabled ones included, by e-mail. */
export async function listStoredPeople(db: Db | PeopleTransaction): Promise<StoredPerson[]> {
  const rows = await db
    .selectFrom('person')
    .leftJoin('credential', 'credential.person_id', 'person.id')
    .select(['person.id', 'person.email', 'person.name', 'person.role', 'person.disabled_at', 'credential.password'])
    .orderBy('person.email')
    .execute();
  return rows.map(({ id, email, name, role, disabled_at, password }) => ({
    id,
    email,
    name,
    role: role as Role,
    isDisabled: disabled_at !== null,
    hasPassword: password !== null,
  }));
}

/** Adds a person who cannot sign in yet. E-mail in lower case, not in use. Returns the new id. */
export async function insertPerson(
  trx: PeopleTransaction,
  { email, name, role }: { email: string; name: string; role: Role },
): Promise<string> {
  const id = randomUUID();
  await trx.insertInto('person').values({ id, email, name, role }).execute();
  return id;
}

/** Changes name, role or standing. */
export async function updatePerson(
  trx: PeopleTransaction,
  id: string,
  change: { name?: string; role?: Role; isDisabled?: boolean },
): Promise<void> {
  const { isDisabled, ...words } = change;
  const standing = isDisabled === undefined ? {} : { disabled_at: isDisabled ? sql<string>`clock_timestamp()` : null };
  await trx
    .updateTable('person')
    .set({ ...words, ...standing, updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
}

/** Sets a person's password, given as its hash. */
export async function upsertPassword(trx: PeopleTransaction, personId: string, passwordHash: string): Promise<void> {
  await trx
    .insertInto('credential')
    .values({ id: randomUUID(), person_id: personId, provider_id: 'credential', account_id: personId, password: passwordHash })
    .onConflict((conflict) =>
      conflict.columns(['person_id', 'provider_id']).doUpdateSet({ password: passwordHash, updated_at: sql`clock_timestamp()` }),
    )
    .execute();
}

/** Signs a person out everywhere. Returns how many sessions ended. */
export async function deleteSessions(trx: PeopleTransaction, personId: string): Promise<number> {
  const { numDeletedRows } = await trx.deleteFrom('person_session').where('person_id', '=', personId).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
