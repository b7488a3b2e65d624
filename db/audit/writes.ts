import type pg from 'pg';
import { inClientTransaction } from '#db/kit/client.ts';
import { type Db } from '#db/kit/open.ts';
import type { AuditRow } from './reads/audit-links.ts';

export interface AuditEntry {
  /** Email of the person, or "command line", "schedule", "set-up link". */
  actor: string;
  /** Left out when it is not about one game. */
  gameId?: number;
  /** A short verb phrase in the past tense. */
  act: string;
  subject: string;
  /** What changed; never a secret. */
  detail?: Record<string, unknown>;
}

/** Records who did what. Inside a transaction the record commits or rolls back with the change. */
export async function recordAudit(db: Db, entry: AuditEntry): Promise<void> {
  await db
    .insertInto('audit')
    .values({
      actor: entry.actor,
      game_id: entry.gameId ?? null,
      act: entry.act,
      subject: entry.subject,
      detail: JSON.stringify(entry.detail ?? {}),
    })
    .execute();
}

/** A row that isn't chained is looked for this far behind the newest one that is: an id is drawn before its transaction commits. */
const IDS_BEHIND = 10_000;

/**
 * Adds links for rows of the audit that have none, by id, at most `limit`; returns how many. Two processes take turns. A row that commits
 * later gets its link later, whatever its id.
 */
export async function linkAudit(
  pool: pg.Pool,
  limit: number,
  digestLink: (position: number, previous: Buffer | null, row: AuditRow) => Buffer,
): Promise<number> {
  return inClientTransaction(pool, async (client) => {
    await client.query(`select pg_advisory_xact_lock(hashtext('audit chain'))`);
    const { rows: newest } = await client.query<{ position: number; digest: Buffer }>(
      'select position, digest from audit_link order by position desc limit 1',
    );
    const { rows } = await client.query<AuditRow>(
      `select * from audit a
       where audit_id > (select coalesce(max(audit_id), 0) from audit_link) - $2::int and not exists (select from audit_link l where l.audit_id = a.audit_id)
       order by audit_id limit $1`,
      [limit, IDS_BEHIND],
    );
    let [position, previous] = [newest[0]?.position ?? 0, newest[0]?.digest ?? null];
    const digests = rows.map((row) => (previous = digestLink(++position, previous, row)));
    await client.query(
      `insert into audit_link (position, audit_id, digest)
       select * from unnest($1::bigint[], $2::bigint[], $3::bytea[])`,
      [rows.map((_, at) => position - rows.length + 1 + at), rows.map((row) => row.audit_id), digests],
    );
    return rows.length;
  });
}
