import { type Expression, type SelectQueryBuilder, sql } from 'kysely';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import type { Database } from '#db/types.ts';
import type { AuditFilter } from '#lib/people/rules/audit-filter.ts';

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
  const rows = found
    .slice(0, limit)
    .map(({ audit_id, slug, environment, detail, ...words }) => ({
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
