import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';

export interface AttemptDigests {
  /** SHA-256 of the address tried. */
  emailDigest: Buffer;
  /** SHA-256 of where it came from. */
  sourceDigest: Buffer;
}

/** Writes an attempt to sign in down. Returns its number. */
export async function insertAttempt(db: Db, { emailDigest, sourceDigest }: AttemptDigests): Promise<number> {
  const values = { email_digest: emailDigest, source_digest: sourceDigest };
  return (await db.insertInto('sign_in_attempt').values(values).returning('attempt_id').executeTakeFirstOrThrow()).attempt_id;
}

/** Attempts of the last minutes, by address and by source. */
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

/** Takes one attempt back. */
export async function deleteAttempt(db: Db, attemptId: number): Promise<void> {
  await db.deleteFrom('sign_in_attempt').where('attempt_id', '=', attemptId).execute();
}

/** Removes the attempts of one address, and all older than the minutes given. */
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
