import { type Expression, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import type { AuditTable, Database } from '#db/types.ts';
import type { ChainHead } from '#lib/evidence/rules/evidence.ts';
import type { AuditFilter } from '#lib/people/rules/audit-filter.ts';

/** A row of the audit, as it is chained. */
export type StoredAuditRow = Selectable<AuditTable>;

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
): Promise<{ position: number; auditId: number; digest: Buffer; row: StoredAuditRow | null }[]> {
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

/** One entry of the audit log. */
export interface AuditRow {
  auditId: number;
  at: string;
  actor: string;
  /** The game and environment it is about; null: none. */
  game: { slug: string; environment: string } | null;
  act: string;
  subject: string;
  detail: Record<string, unknown>;
}

export interface AuditPage {
  rows: AuditRow[];
  /** Where older entries begin: below this number; null: there are none. */
  before: number | null;
}

/** Finds a page of the audit log, newest first, below a number; null: from the newest. */
export async function listAudit(
  db: Db,
  filter: AuditFilter,
  { before, limit }: { before: number | null; limit: number },
): Promise<AuditPage> {
  const found = await auditOf(db, filter)
    .$if(before !== null, (query) => query.where('audit.audit_id', '<', before ?? 0))
    .orderBy('audit.audit_id', 'desc')
    .limit(limit + 1)
    .select(['audit.audit_id', 'audit.at', 'actor', 'slug', 'environment', 'act', 'subject', 'detail'])
    .execute();
  const rows = found.slice(0, limit).map(({ audit_id, slug, environment, detail, ...words }) => ({
    ...words,
    auditId: audit_id,
    game: slug === null || environment === null ? null : { slug, environment },
    detail: typeof detail === 'object' && detail !== null ? { ...detail } : {},
  }));
  return { rows, before: found.length > limit ? (rows.at(-1)?.auditId ?? null) : null };
}

/** Selects the audit log by the keys of its file, oldest first. */
export function auditSheet(db: Db, filter: AuditFilter): Expression<unknown> {
  return auditOf(db, filter)
    .orderBy('audit.audit_id')
    .select(['audit.audit_id', 'actor', 'slug as game', 'environment', 'act', 'subject'])
    .select([nestedInstant('audit.at').as('at'), sql<string>`detail::text`.as('detail')]);
}

function auditOf(db: Db, { actor, act, subject, gameId, from, to }: AuditFilter): AuditQuery {
  return db
    .selectFrom('audit')
    .leftJoin('game', 'game.game_id', 'audit.game_id')
    .$if(actor !== '', (query) => query.where('actor', '=', actor))
    .$if(act !== '', (query) => query.where(sql<boolean>`strpos(lower(act), lower(${act})) > 0`))
    .$if(subject !== '', (query) => query.where(sql<boolean>`strpos(lower(subject), lower(${subject})) > 0`))
    .$if(gameId !== null, (query) => query.where('audit.game_id', '=', gameId))
    .$if(from !== null, (query) => query.where('audit.at', '>=', sql<string>`${from}::date::timestamptz`))
    .$if(to !== null, (query) => query.where('audit.at', '<', sql<string>`(${to}::date + 1)::timestamptz`)) as AuditQuery;
}

type Tables = Pick<Database, 'audit'> & { game: { [Column in keyof Database['game']]: Database['game'][Column] | null } };
type AuditQuery = SelectQueryBuilder<Tables, 'audit' | 'game', object>;
