import { sql } from 'kysely';
import { parseRole, type Role } from '#lib/core/roles.ts';
import { STORED_GAME, type StoredGame } from '../games/reads.ts';
import type { Db } from '../kit/open.ts';

/** The person behind a session. */
export interface SignedInPerson {
  id: string;
  email: string;
  name: string;
  role: Role;
  /** How long the session lasts by the database clock. Unit: milliseconds. */
  left_ms: number;
}

/**
 * Finds the person of a session that has not ended, unless they are disabled, by the digest of its token; null when there is none. On demand,
 * the stored games come with the same statement; without, they are null.
 */
export async function findSignedIn(
  db: Db,
  tokenDigest: string,
  { withGames }: { withGames: boolean },
): Promise<{ person: SignedInPerson; games: StoredGame[] | null } | null> {
  const row = await db
    .selectFrom('person_session')
    .innerJoin('person', 'person.id', 'person_session.person_id')
    .where('person_session.token', '=', tokenDigest)
    .where('person_session.expires_at', '>', sql<string>`clock_timestamp()`)
    .where('person.disabled_at', 'is', null)
    .select([
      'person.id',
      'person.email',
      'person.name',
      'person.role',
      sql<number>`floor(extract(epoch from expires_at - clock_timestamp()) * 1000)::int`.as('left_ms'),
    ])
    .$if(withGames, (query) => query.select(sql<StoredGame[]>`(select coalesce(json_agg(${STORED_GAME}), '[]') from game)`.as('games')))
    .executeTakeFirst();
  const role = parseRole(row?.role);
  if (row === undefined || role === null) return null;
  const { games = null, ...person } = row;
  return { person: { ...person, role }, games };
}

/** A person as Settings shows them. */
export interface PersonRow {
  id: string;
  email: string;
  name: string;
  role: Role;
  isDisabled: boolean;
  hasPassword: boolean;
  /** When their open link expires; null: there is none. */
  linkUntil: string | null;
  /** Sessions that have not ended. */
  sessionCount: number;
  lastSignedInAt: string | null;
  /** The database's clock when this was read: ages are computed from it. */
  readAt: string;
}

/** Everyone who was ever added: those who can sign in first, then by name. */
export async function listPeople(db: Db): Promise<PersonRow[]> {
  const rows = await db
    .selectFrom('person')
    .leftJoin('credential', 'credential.person_id', 'person.id')
    .select((select) => [
      'person.id',
      'person.email',
      'person.name',
      'person.role',
      'person.disabled_at',
      'credential.password',
      select
        .selectFrom('set_up_link')
        .select(({ fn }) => fn.max<string | null>('expires_at').as('until'))
        .whereRef('set_up_link.person_id', '=', 'person.id')
        .where('used_at', 'is', null)
        .where('withdrawn_at', 'is', null)
        .where('expires_at', '>', sql<string>`clock_timestamp()`)
        .as('linkUntil'),
      select
        .selectFrom('person_session')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('person_session.person_id', '=', 'person.id')
        .where('expires_at', '>', sql<string>`clock_timestamp()`)
        .as('sessionCount'),
      select
        .selectFrom('audit')
        .select(({ fn }) => fn.max<string | null>('at').as('at'))
        .whereRef('audit.actor', '=', 'person.email')
        .where('act', '=', 'signed in')
        .as('lastSignedInAt'),
      sql<string>`now()`.as('readAt'),
    ])
    .orderBy(sql`disabled_at is not null`)
    .orderBy('person.name')
    .orderBy('person.email')
    .execute();
  return rows.map(({ disabled_at, password, role, sessionCount, ...words }) => ({
    ...words,
    role: parseRole(role) ?? 'viewer',
    isDisabled: disabled_at !== null,
    hasPassword: password !== null,
    sessionCount: sessionCount ?? 0,
  }));
}
