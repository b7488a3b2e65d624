import { randomUUID } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import { type Db, firstInstant, inTransaction } from '#db/kit/open.ts';
import { newerValues } from '#db/kit/upsert.ts';
import type { SignInAttemptTable } from '#db/types.ts';
import { accountStatus, CONFIRMATION_VERSION } from '#lib/approvals/reads.ts';
import type { AccountStatus } from '#lib/approvals/rules/approval.ts';
import type { Role } from '#lib/core/roles.ts';
import { HAS_FACTOR, type PersonRow, rolesOf } from '../reads.ts';

export interface StoredPerson
  extends Pick<
    PersonRow,
    'id' | 'email' | 'name' | 'roles' | 'isConfirmed' | 'status' | 'confirmationVersion' | 'isDisabled' | 'hasPassword'
  > {
  /** Was given the role finance once. */
  hadFinance: boolean;
  /** Roles an admin requested that wait for a second person; null: none. */
  request: { roles: Role[]; by: string } | null;
}

/** Runs changes to people one at a time, so that what a change reads stays true until it commits. */
export async function changePeople<Result>(db: Db, change: (trx: Db) => Promise<Result>): Promise<Result> {
  return await inTransaction(db, async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('people'))`.execute(trx);
    return await change(trx);
  });
}

/** Every person, admins and disabled ones included, by email. */
export async function listStoredPeople(db: Db): Promise<StoredPerson[]> {
  const rows = await db
    .selectFrom('person')
    .leftJoin('person_password', 'person_password.person_id', 'person.id')
    .select(['person.id', 'person.email', 'person.name', 'person.roles', 'person.requested_roles', 'person.roles_requested_by'])
    .select([
      sql<boolean>`person.account_confirmed_at is not null`.as('isConfirmed'),
      sql<AccountStatus>`(${accountStatus('person')})`.as('status'),
      sql<string>`${sql.raw(CONFIRMATION_VERSION)}`.as('confirmationVersion'),
      sql<boolean>`person.first_finance_at is not null`.as('hadFinance'),
      sql<boolean>`person.disabled_at is not null`.as('isDisabled'),
      sql<boolean>`person_password.person_id is not null`.as('hasPassword'),
    ])
    .orderBy('person.email')
    .execute();
  return rows.map(({ roles, requested_roles: requested, roles_requested_by: by, ...person }) => ({
    ...person,
    roles: rolesOf(roles),
    request: requested === null || by === null ? null : { roles: rolesOf(requested), by },
  }));
}

/** Adds a person who cannot sign in yet. Email in lower case, not in use. Returns the new id. */
export async function insertPerson(trx: Db, { email, name, roles }: { email: string; name: string; roles: Role[] }): Promise<string> {
  const id = randomUUID();
  const first_finance_at = roles.includes('finance') ? sql<string>`clock_now()` : null;
  await trx.insertInto('person').values({ id, email, name, roles, first_finance_at }).execute();
  return id;
}

export interface PersonChange {
  name?: string;
  roles?: Role[];
  isDisabled?: boolean;
  /** Hours from now until the account counts as one of two people; a later time that is stored already stays. */
  countsAfter_hours?: number;
  /** Roles requested by an admin, by their id; null: the request is over. */
  request?: { roles: Role[]; by: string } | null;
}

/** Changes a person. */
export async function updatePerson(trx: Db, id: string, { isDisabled, countsAfter_hours, request, ...words }: PersonChange): Promise<void> {
  const now = sql<string>`clock_now()`;
  await trx
    .updateTable('person')
    .set({
      ...words,
      ...(isDisabled === undefined ? {} : { disabled_at: isDisabled ? now : null }),
      ...(words.roles?.includes('finance') ? { first_finance_at: firstInstant('first_finance_at') } : {}),
      ...(countsAfter_hours === undefined
        ? {}
        : { counts_from: sql<string>`greatest(counts_from, clock_now() + make_interval(hours => ${countsAfter_hours}))` }),
      ...(request === undefined
        ? {}
        : { requested_roles: request?.roles ?? null, roles_requested_by: request?.by ?? null, roles_requested_at: request ? now : null }),
      updated_at: now,
    })
    .where('id', '=', id)
    .execute();
}

/** Switches the single keys of a person on or off. */
export async function updateShortcuts(db: Db, id: string, hasShortcuts: boolean): Promise<void> {
  await db.updateTable('person').set({ has_shortcuts: hasShortcuts }).where('id', '=', id).execute();
}

/** Sets a person's password, given as its hash. */
export async function upsertPassword(trx: Db, personId: string, passwordHash: string): Promise<void> {
  await trx
    .insertInto('person_password')
    .values({ person_id: personId, hash: passwordHash })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet(newerValues('person_password', { columns: ['hash', 'set_at'] })))
    .execute();
}

const SESSION_HOURS = 8;

/**
 * Stores a session of a person, which ends after eight hours. Signing in proves nothing for an approval: the password is given again in the session. False,
 * and nothing is stored: they are disabled, or have a second factor and gave no code.
 */
export async function insertSession(
  db: Db,
  { personId, tokenDigest, hasGivenCode }: { personId: string; tokenDigest: string; hasGivenCode: boolean },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into person_session (token_digest, person_id, expires_at, proved_at)
    select ${tokenDigest}, person.id, clock_now() + make_interval(hours => ${SESSION_HOURS}), null from person
    where person.id = ${personId} and person.disabled_at is null and (${hasGivenCode} or not ${HAS_FACTOR})`.execute(db);
  return numAffectedRows === 1n;
}

/** Ends one session. */
export async function deleteSession(db: Db, tokenDigest: string): Promise<void> {
  await db.deleteFrom('person_session').where('token_digest', '=', tokenDigest).execute();
}

/** Signs a person out everywhere, sign-ins whose code is still to come included. Returns how many sessions ended. */
export async function deleteSessions(trx: Db, personId: string): Promise<number> {
  await trx.deleteFrom('started_sign_in').where('person_id', '=', personId).execute();
  const { numDeletedRows } = await trx.deleteFrom('person_session').where('person_id', '=', personId).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Signs a person out everywhere but in the session of a token's digest. */
export async function deleteOtherSessions(trx: Db, personId: string, tokenDigest: string): Promise<void> {
  await trx.deleteFrom('started_sign_in').where('person_id', '=', personId).execute();
  await trx.deleteFrom('person_session').where('person_id', '=', personId).where('token_digest', '<>', tokenDigest).execute();
}

/**
 * Gives a session another token, by digests, and records that the password, and the code where the person has a second factor, was given in it just now.
 * The end stays. The earlier token proves nothing from now on, and opens for 30 seconds: other tabs have requests under way.
 */
export async function replaceToken(db: Db, tokenDigest: string, newDigest: string): Promise<void> {
  await sql`
    with replaced as (
      update person_session set proved_at = null, expires_at = least(expires_at, clock_now() + interval '30 seconds')
      where token_digest = ${tokenDigest} returning person_id, created_at
    )
    insert into person_session (token_digest, person_id, created_at, expires_at)
    select ${newDigest}, person_id, created_at, created_at + make_interval(hours => ${SESSION_HOURS}) from replaced`.execute(db);
}

/** Deletes the sessions whose time is over. */
export async function deleteEndedSessions(db: Db): Promise<void> {
  await db.deleteFrom('person_session').where('expires_at', '<', sql<string>`clock_now()`).execute();
}

/** SHA-256 of the email tried, of the client's address, and of the mark of a browser in which this email signed in before; null: it has none. */
export type AttemptDigests = Pick<Insertable<SignInAttemptTable>, 'email_digest' | 'source_digest'> & { browser_digest: Buffer | null };

/** Records a sign-in attempt. Returns its number. */
export async function insertAttempt(db: Db, digests: AttemptDigests): Promise<number> {
  return (await db.insertInto('sign_in_attempt').values(digests).returning('attempt_id').executeTakeFirstOrThrow()).attempt_id;
}

/** Attempts of the last minutes: of a known browser, and of all other browsers by email, by source and by both. */
export interface AttemptCounts {
  ofBrowser: number;
  ofEmail: number;
  ofSource: number;
  ofEmailAndSource: number;
}

/** Counts the attempts of the last minutes. */
export async function countAttempts(db: Db, digests: AttemptDigests, window_minutes: number): Promise<AttemptCounts> {
  const { email_digest, source_digest, browser_digest } = digests;
  const isRecent = sql<boolean>`attempted_at > clock_now() - make_interval(mins => ${window_minutes})`;
  // One count for each index, and not one over all of them.
  const { rows } = await sql<AttemptCounts>`select
    (select count(*) from sign_in_attempt where browser_digest = ${browser_digest} and ${isRecent}) as "ofBrowser",
    (select count(*) from sign_in_attempt where email_digest = ${email_digest} and browser_digest is null and ${isRecent}) as "ofEmail",
    (select count(*) from sign_in_attempt where source_digest = ${source_digest} and browser_digest is null and ${isRecent}) as "ofSource",
    (select count(*) from sign_in_attempt where email_digest = ${email_digest} and source_digest = ${source_digest}
       and browser_digest is null and ${isRecent}) as "ofEmailAndSource"`.execute(db);
  const [counts] = rows;
  if (counts === undefined) throw new Error('the attempts to sign in were not counted');
  return counts;
}

/** Deletes one attempt. */
export async function deleteAttempt(db: Db, attemptId: number): Promise<void> {
  await db.deleteFrom('sign_in_attempt').where('attempt_id', '=', attemptId).execute();
}

/** Deletes the attempts of one email from one source, and those of a known browser. */
export async function clearAttempts(db: Db, { email_digest, source_digest, browser_digest }: AttemptDigests): Promise<void> {
  await db
    .deleteFrom('sign_in_attempt')
    .where((where) =>
      where.or([
        where.and([where('email_digest', '=', email_digest), where('source_digest', '=', source_digest)]),
        ...(browser_digest === null ? [] : [where('browser_digest', '=', browser_digest)]),
      ]),
    )
    .execute();
}

// Each attempt removes more than it adds; what another one is removing is left to it.
const PURGED_AT_ONCE = 100;

/** Deletes attempts that are older than the minutes given, some at a time. */
export async function purgeAttempts(db: Db, olderThan_minutes: number): Promise<void> {
  await sql`delete from sign_in_attempt where attempt_id = any(array(
    select attempt_id from sign_in_attempt where attempted_at < clock_now() - make_interval(mins => ${olderThan_minutes})
    order by attempted_at limit ${PURGED_AT_ONCE} for update skip locked))`.execute(db);
}
