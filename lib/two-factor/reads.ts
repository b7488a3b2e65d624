import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { Role } from '#lib/core/roles.ts';
import { rolesOf } from '#lib/people/reads.ts';

/** What the codes of a person are checked with. */
export interface StoredFactor {
  /** Sealed; never shown. */
  sealedSecret: Buffer;
  /** The first code was right: from then on signing in needs one. */
  isConfirmed: boolean;
}

/** Finds the second factor of a person, whether or not its set-up is finished; null when there is none. */
export async function findFactor(db: Db, personId: string): Promise<StoredFactor | null> {
  const row = await db
    .selectFrom('second_factor')
    .select(['sealed_secret', 'confirmed_at'])
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return row === undefined ? null : { sealedSecret: row.sealed_secret, isConfirmed: row.confirmed_at !== null };
}

/** The second factor of a person as their account page shows it. */
export interface FactorStatus {
  /** Since when signing in needs a code; null: it doesn't. */
  since: string | null;
  /** Backup codes that were not used yet. */
  backupCodesLeft: number;
  /** Roles whose people need a second factor. */
  requiredRoles: Role[];
}

/** Finds what the account page of a person shows, without any secret. */
export async function findFactorStatus(db: Db, personId: string): Promise<FactorStatus> {
  const { rows } = await sql<{ since: string | null; left: number; roles: string[] }>`select
    (select confirmed_at from second_factor where person_id = ${personId}) as since,
    (select count(*) from backup_code where person_id = ${personId} and used_at is null) as left,
    array(select role from second_factor_role) as roles`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the status of a second factor was not read');
  return { since: row.since, backupCodesLeft: row.left, requiredRoles: rolesOf(row.roles) };
}

/** Lists the roles whose people need a second factor. */
export async function listRequiredRoles(db: Db): Promise<Role[]> {
  return rolesOf((await db.selectFrom('second_factor_role').select('role').execute()).map(({ role }) => role));
}

/** How many enabled people there are, how many of them have a second factor, and how many need one and have none. */
export interface FactorCounts {
  people: number;
  withFactor: number;
  missing: number;
}

/** Counts who has a second factor, by what is stored now. */
export async function countFactors(db: Db): Promise<FactorCounts> {
  const { rows } = await sql<FactorCounts>`select count(*) as people, count(factor.person_id) as "withFactor",
      count(*) filter (where factor.person_id is null and person.roles && array(select role from second_factor_role)) as missing
    from person left join second_factor factor on factor.person_id = person.id and factor.confirmed_at is not null
    where person.disabled_at is null`.execute(db);
  const [counts] = rows;
  if (counts === undefined) throw new Error('second factors were not counted');
  return counts;
}

/** A sign-in whose password was right, with its person; null when there is none of that token, or its time is over. */
export async function findStartedSignIn(db: Db, tokenDigest: Buffer): Promise<{ personId: string; email: string } | null> {
  const row = await db
    .selectFrom('started_sign_in')
    .innerJoin('person', 'person.id', 'started_sign_in.person_id')
    .select(['person.id', 'person.email'])
    .where('token_digest', '=', tokenDigest)
    .where('expires_at', '>', sql<string>`clock_now()`)
    .executeTakeFirst();
  return row === undefined ? null : { personId: row.id, email: row.email };
}
