import { sql } from 'kysely';
import { parseRole, type Role } from '#lib/core/roles.ts';
import type { Db } from '../kit/open.ts';

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
