import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { Role } from '#lib/core/roles.ts';
import { listPeople } from '#lib/people/reads.ts';
import { confirmPerson, type PersonConfirmed } from '#lib/people/second-person.ts';

/** Puts a person with a password straight into a test database; their account is confirmed and counts. Returns their id. */
export async function seedPerson(db: Db, email: string, given: Role | Role[]): Promise<string> {
  const id = randomUUID();
  const roles = [given].flat();
  const now = sql<string>`clock_now()`;
  await db
    .insertInto('person')
    .values({
      id,
      email,
      name: email.split('@')[0] ?? email,
      roles,
      account_confirmed_at: now,
      first_confirmed_at: now,
      first_finance_at: roles.includes('finance') ? now : null,
    })
    .execute();
  await db.insertInto('person_password').values({ person_id: id, hash: 'argon2id$1$1$aa$bb' }).execute();
  return id;
}

/** Signs a person in, as far as the database knows. Returns the digest of the session's token. */
export async function seedSession(db: Db, personId: string): Promise<string> {
  const token_digest = randomUUID();
  const expires_at = sql<string>`clock_now() + interval '8 hours'`;
  await db.insertInto('person_session').values({ person_id: personId, token_digest, expires_at }).execute();
  return token_digest;
}

/** The record of what was done to people, oldest first. */
export async function readAudit(db: Db): Promise<{ actor: string; act: string; subject: string; detail: unknown }[]> {
  return await db.selectFrom('audit').select(['actor', 'act', 'subject', 'detail']).orderBy('audit_id').execute();
}

/** Confirms an account as a person does who sees it in Settings now. */
export async function confirmAsShown(db: Db, ids: { actorId: string; personId: string }): Promise<PersonConfirmed> {
  const { people } = await listPeople(db);
  return await confirmPerson(db, { ...ids, version: people.find(({ id }) => id === ids.personId)?.confirmationVersion ?? '' });
}
