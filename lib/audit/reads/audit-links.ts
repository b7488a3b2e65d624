import { type Selectable, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { AuditTable } from '#db/types.ts';
import type { ChainHead } from '#lib/evidence/rules/chain-head.ts';

/** A row of the audit, as it is chained. */
export type AuditRow = Selectable<AuditTable>;

/** Finds the newest link of the audit; null: none is chained. */
export async function findAuditHead(db: Db): Promise<ChainHead | null> {
  const row = await db.selectFrom('audit_link').select(['position', 'digest']).orderBy('position', 'desc').limit(1).executeTakeFirst();
  return row ? { position: row.position, digest: row.digest.toString('hex') } : null;
}

/** Lists links of the audit after a position, each with its row; a row that is gone is null. At most `limit`. */
export async function listAuditLinks(
  db: Db,
  after: number,
  limit: number,
): Promise<{ position: number; auditId: number; digest: Buffer; row: AuditRow | null }[]> {
  const links = await db.selectFrom('audit_link').selectAll().where('position', '>', after).orderBy('position').limit(limit).execute();
  const ids = links.map((link) => link.audit_id);
  const rows = ids.length === 0 ? [] : await db.selectFrom('audit').selectAll().where('audit_id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.audit_id, row]));
  return links.map((link) => ({
    position: link.position,
    auditId: link.audit_id,
    digest: link.digest,
    row: byId.get(link.audit_id) ?? null,
  }));
}

/**
 * Counts the rows of the audit that have no link: those of the last minute, as long as a worker runs. `late` counts those that were
 * recorded more than an hour before the newest link, which no transaction takes.
 */
export async function countUnlinked(db: Db): Promise<{ unlinked: number; late: number }> {
  const { rows } = await sql<{ unlinked: number; late: number }>`
    select count(*)::int as unlinked, count(*) filter (where a.at < newest.linked_at - interval '1 hour')::int as late
    from audit a left join audit_link l using (audit_id) left join (select max(linked_at) as linked_at from audit_link) newest on true
    where l.audit_id is null`.execute(db);
  return rows[0] ?? { unlinked: 0, late: 0 };
}
