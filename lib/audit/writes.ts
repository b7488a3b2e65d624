import { type RawBuilder, type Selectable, sql } from 'kysely';
import { type Db, inTransaction } from '#db/kit/open.ts';
import type { AuditTable } from '#db/types.ts';
import type { AuditAct } from './rules/acts.ts';

export interface AuditEntry {
  /** Email of the person, or "command line", "schedule", "set-up link". */
  actor: string;
  /** Left out when it is not about one game: the audit is not distributed by game (`db/distribution.ts`), so a row needs none. */
  gameId?: number;
  /** One of the list in `text.ts`, where its sentence is. */
  act: AuditAct;
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

/** An entry for each row of a table: what differs from row to row is a column. */
interface EntryOfEach {
  actor: string;
  gameId?: RawBuilder<number>;
  act: AuditAct;
  subject: string | RawBuilder<string>;
  detail?: Record<string, unknown>;
}

/** An insert that records an entry for each row of a table, or of a WITH query of the statement it ends. */
export function auditOfEach(table: RawBuilder<unknown>, { actor, gameId, act, subject, detail }: EntryOfEach): RawBuilder<unknown> {
  const game = gameId ?? sql`null::int`;
  return sql`insert into audit (actor, game_id, act, subject, detail)
    select ${actor}::text, ${game}, ${act}::text, ${typeof subject === 'string' ? sql`${subject}::text` : subject}, ${JSON.stringify(detail ?? {})}::jsonb from ${table}`;
}

/** A row that isn't chained is looked for this far behind the newest one that is: an id is drawn before its transaction commits. */
const IDS_BEHIND = 10_000;

/**
 * Adds links for rows of the audit that have none, by id, at most `limit`; returns how many. Two processes take turns. A row that commits
 * later gets its link later, whatever its id.
 */
export async function linkAudit(
  db: Db,
  limit: number,
  digestLink: (position: number, previous: Buffer | null, row: Selectable<AuditTable>) => Buffer,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('audit chain'))`.execute(tx);
    const newest = await tx.selectFrom('audit_link').select(['position', 'digest']).orderBy('position', 'desc').limit(1).executeTakeFirst();
    const { rows } = await sql<Selectable<AuditTable>>`
      select * from audit a
      where audit_id > (select coalesce(max(audit_id), 0) from audit_link) - ${IDS_BEHIND}::int
        and not exists (select from audit_link l where l.audit_id = a.audit_id)
      order by audit_id limit ${limit}`.execute(tx);
    let [position, previous] = [newest?.position ?? 0, newest?.digest ?? null];
    const digests = rows.map((row) => (previous = digestLink(++position, previous, row)));
    const positions = rows.map((_, index) => position - rows.length + 1 + index);
    const ids = rows.map((row) => row.audit_id);
    await sql`
      insert into audit_link (position, audit_id, digest)
      select * from unnest(${positions}::bigint[], ${ids}::bigint[], ${digests}::bytea[])`.execute(tx);
    return rows.length;
  });
}

/** What `verify` found, as the page of exceptions shows it. */
interface NewVerification {
  /** The game it was limited to; null: every game. */
  gameId: number | null;
  snapshotCount: number;
  auditCount: number;
  violationCount: number;
  /** Whether it compared the chains with links that were stored elsewhere. */
  hasHeads: boolean;
}

/** Records that `verify` ended. */
export async function insertVerification(
  db: Db,
  { gameId, snapshotCount, auditCount, violationCount, hasHeads }: NewVerification,
): Promise<void> {
  await sql`insert into verification (game_id, snapshot_count, audit_count, violation_count, has_heads)
    values (${gameId}, ${snapshotCount}, ${auditCount}, ${violationCount}, ${hasHeads})`.execute(db);
}
