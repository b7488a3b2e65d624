import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { may, type Role } from '#lib/core/roles.ts';

/** Puts a person with a password straight into a test database; who may approve doesn't wait. Returns their id. */
export async function seedPerson(db: Db, email: string, given: Role | Role[]): Promise<string> {
  const id = randomUUID();
  const roles = [given].flat();
  const approves_from = may(roles, 'refunds.approve') ? sql<string>`clock_timestamp()` : null;
  await db
    .insertInto('person')
    .values({ id, email, name: email.split('@')[0] ?? email, roles, approves_from })
    .execute();
  await db
    .insertInto('credential')
    .values({ id: randomUUID(), person_id: id, provider_id: 'credential', account_id: id, password: 'argon2id$1$1$aa$bb' })
    .execute();
  return id;
}

/** Signs a person in, as far as the database knows. */
export async function seedSession(db: Db, personId: string): Promise<void> {
  const expires_at = sql<string>`clock_timestamp() + interval '8 hours'`;
  await db.insertInto('person_session').values({ id: randomUUID(), person_id: personId, token: randomUUID(), expires_at }).execute();
}

/** The record of what was done to people, oldest first. */
export async function readAudit(db: Db): Promise<{ actor: string; act: string; subject: string; detail: unknown }[]> {
  return await db.selectFrom('audit').select(['actor', 'act', 'subject', 'detail']).orderBy('audit_id').execute();
}
