import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { parseEnum } from '#lib/core/parse-enum.ts';
import { ROLES, type Role } from '#lib/core/roles.ts';
import type { Db } from '../kit/open.ts';
import type { Database } from '../types.ts';

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

/** Runs changes to people one at a time, so that what a change reads stays true until it commits. */
export async function changePeople<Result>(db: Db, change: (trx: PeopleTransaction) => Promise<Result>): Promise<Result> {
  return await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('people'))`.execute(trx);
    return await change(trx);
  });
}

/** Every person, admins and disabled ones included, by email. */
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
    role: parseEnum(ROLES, role),
    isDisabled: disabled_at !== null,
    hasPassword: password !== null,
  }));
}

/** Adds a person who cannot sign in yet. Email in lower case, not in use. Returns the new id. */
export async function insertPerson(
  trx: PeopleTransaction,
  { email, name, role }: { email: string; name: string; role: Role },
): Promise<string> {
  const id = randomUUID();
  await trx.insertInto('person').values({ id, email, name, role }).execute();
  return id;
}

/** Changes the name, the role or whether the person is disabled. */
export async function updatePerson(
  trx: PeopleTransaction,
  id: string,
  change: { name?: string; role?: Role; isDisabled?: boolean },
): Promise<void> {
  const { isDisabled, ...words } = change;
  const disabled = isDisabled === undefined ? {} : { disabled_at: isDisabled ? sql<string>`clock_timestamp()` : null };
  await trx
    .updateTable('person')
    .set({ ...words, ...disabled, updated_at: sql`clock_timestamp()` })
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

/** Deletes the sessions whose time is over. */
export async function deleteEndedSessions(db: Db): Promise<void> {
  await db.deleteFrom('person_session').where('expires_at', '<', sql<string>`clock_timestamp()`).execute();
}

const LINK_PURPOSES = ['first_admin', 'invitation', 'new_password'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

export interface NewLink {
  /** SHA-256 of its token. */
  tokenDigest: Buffer;
  purpose: LinkPurpose;
  /** Whose password it sets; null for the first admin. */
  personId: string | null;
  madeBy: string;
  validFor_hours: number;
}

export interface StoredLink {
  purpose: LinkPurpose;
  personId: string | null;
  isUsed: boolean;
  isWithdrawn: boolean;
  /** By the database clock. */
  isExpired: boolean;
}

/** Adds a one-time link. */
export async function insertLink(trx: PeopleTransaction, link: NewLink): Promise<void> {
  await trx
    .insertInto('set_up_link')
    .values({
      token_digest: link.tokenDigest,
      purpose: link.purpose,
      person_id: link.personId,
      made_by: link.madeBy,
      expires_at: sql<string>`clock_timestamp() + make_interval(hours => ${link.validFor_hours})`,
    })
    .execute();
}

/** Finds the link of a token digest, whatever its state; null when there never was one. */
export async function findLink(db: Db | PeopleTransaction, tokenDigest: Buffer): Promise<StoredLink | null> {
  const row = await db
    .selectFrom('set_up_link')
    .select(['purpose', 'person_id', 'used_at', 'withdrawn_at', sql<boolean>`expires_at <= clock_timestamp()`.as('is_expired')])
    .where('token_digest', '=', tokenDigest)
    .executeTakeFirst();
  if (!row) return null;
  const { purpose, person_id: personId, used_at, withdrawn_at, is_expired: isExpired } = row;
  return { purpose: parseEnum(LINK_PURPOSES, purpose), personId, isUsed: used_at !== null, isWithdrawn: withdrawn_at !== null, isExpired };
}

/** Marks an open link as used. Returns false when it was used, withdrawn or expired. */
export async function redeemLink(trx: PeopleTransaction, tokenDigest: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('set_up_link')
    .set({ used_at: sql<string>`clock_timestamp()` })
    .where('token_digest', '=', tokenDigest)
    .where('used_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .where(sql<boolean>`expires_at > clock_timestamp()`)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Closes every link of a person that is still open. */
export async function withdrawLinks(trx: PeopleTransaction, personId: string): Promise<void> {
  await trx
    .updateTable('set_up_link')
    .set({ withdrawn_at: sql<string>`clock_timestamp()` })
    .where('person_id', '=', personId)
    .where('used_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .execute();
}

export interface AttemptDigests {
  /** SHA-256 of the email tried. */
  emailDigest: Buffer;
  /** SHA-256 of the client's address. */
  sourceDigest: Buffer;
}

/** Records a sign-in attempt. Returns its number. */
export async function insertAttempt(db: Db, { emailDigest, sourceDigest }: AttemptDigests): Promise<number> {
  const values = { email_digest: emailDigest, source_digest: sourceDigest };
  return (await db.insertInto('sign_in_attempt').values(values).returning('attempt_id').executeTakeFirstOrThrow()).attempt_id;
}

/** Counts the attempts of the last minutes by email and by source. */
export async function countAttempts(
  db: Db,
  digests: AttemptDigests,
  window_minutes: number,
): Promise<{ ofEmail: number; ofSource: number }> {
  return await db
    .selectFrom('sign_in_attempt')
    .select(({ fn }) => [
      fn.count<number>('attempt_id').filterWhere('email_digest', '=', digests.emailDigest).as('ofEmail'),
      fn.count<number>('attempt_id').filterWhere('source_digest', '=', digests.sourceDigest).as('ofSource'),
    ])
    .where((where) => where.or([where('email_digest', '=', digests.emailDigest), where('source_digest', '=', digests.sourceDigest)]))
    .where('attempted_at', '>', sql<string>`clock_timestamp() - make_interval(mins => ${window_minutes})`)
    .executeTakeFirstOrThrow();
}

/** Deletes one attempt. */
export async function deleteAttempt(db: Db, attemptId: number): Promise<void> {
  await db.deleteFrom('sign_in_attempt').where('attempt_id', '=', attemptId).execute();
}

/** Deletes the attempts of one email, and all that are older than the minutes given. */
export async function clearAttempts(db: Db, emailDigest: Buffer, olderThan_minutes: number): Promise<void> {
  await db
    .deleteFrom('sign_in_attempt')
    .where((where) =>
      where.or([
        where('email_digest', '=', emailDigest),
        where('attempted_at', '<', sql<string>`clock_timestamp() - make_interval(mins => ${olderThan_minutes})`),
      ]),
    )
    .execute();
}
