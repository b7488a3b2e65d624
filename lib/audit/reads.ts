import { type Expression, type RawBuilder, type Selectable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { type List, type ListColumn, type ListFilter, type ListSource, listRows } from '#db/kit/list.ts';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import type { PageRequest, RowPage, SortKey } from '#db/kit/paging.ts';
import type { AuditTable, Database } from '#db/types.ts';
import type { CellKind } from '#lib/core/csv.ts';
import { parseEnum } from '#lib/core/strings.ts';
import type { Window } from '#lib/core/window.ts';
import type { ChainHead } from '#lib/evidence/rules/evidence.ts';
import type { AuditFilter } from '#lib/people/rules/audit-filter.ts';
import {
  EXCEPTION_KINDS,
  EXCEPTIONAL_ACTS,
  type ExceptionKind,
  FAILED_IN_A_ROW,
  FAILED_SIGN_INS,
  REFUSED_ACT,
} from './rules/exceptions.ts';
import { EXCEPTION_KIND_TEXT } from './text.ts';

/** A row that isn't chained is looked for this far behind the newest one that is: an id is drawn before its transaction commits. */
export const IDS_BEHIND = 10_000;

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

/** What exceptions are read from. */
export interface ExceptionsOf {
  gameId: number;
  /** null: all time. */
  window: Window | null;
}

/** An act outside the normal path. */
export interface ExceptionRow {
  audit_id: number;
  at: string;
  actor: string;
  act: string;
  subject: string;
  detail: unknown;
  kind: ExceptionKind;
}

const AUDIT_ID: SortKey = { sql: sql`audit.audit_id`, type: 'bigint' };
const actsOf = (kind: ExceptionKind): RawBuilder<SqlBool> => {
  if (kind === 'refusals') return sql`audit.act like ${`${REFUSED_ACT}%`}`;
  const listed = sql<SqlBool>`audit.act = any(${[...EXCEPTIONAL_ACTS[kind]]}::text[])`;
  return kind === 'people' ? sql`(${listed} or ${failedInARow})` : listed;
};

const FAILED = sql`${[...FAILED_SIGN_INS]}::text[]`;
/** A failed sign-in that others of the same account preceded within minutes. */
const failedInARow = sql<SqlBool>`(audit.act = any(${FAILED}) and ${FAILED_IN_A_ROW.count - 1} = (
  select count(*) from (select from audit before where before.actor = audit.actor and before.audit_id < audit.audit_id and before.act = any(${FAILED})
    and before.at > audit.at - make_interval(mins => ${FAILED_IN_A_ROW.minutes}) limit ${FAILED_IN_A_ROW.count - 1}) failed))`;

const kindOfAct = sql<string>`case ${sql.join(
  EXCEPTION_KINDS.map((kind) => sql`when ${actsOf(kind)} then ${kind}`),
  sql` `,
)} end`;

const ownColumn = (
  kind: CellKind,
  key: string,
  label: string,
  choice: Partial<ListColumn<ExceptionsOf>> = {},
): ListColumn<ExceptionsOf> => ({
  key,
  label,
  kind,
  sql: sql.ref(`audit.${key}`),
  ...choice,
});

/** The acts outside the normal path of a game, and those on people, who belong to no game. */
export const EXCEPTIONS: List<ExceptionsOf, ExceptionRow> = {
  name: 'exceptions',
  noun: ['exception', 'exceptions'],
  columns: [
    ownColumn('count', 'audit_id', 'Number'),
    ownColumn('instant', 'at', 'Time', { width: 150, shape: 'text', sort: [AUDIT_ID] }),
    ownColumn('text', 'kind', 'Kind', { sql: kindOfAct, width: 150 }),
    ownColumn('text', 'act', 'Action', { width: 270, shape: 'link' }),
    ownColumn('text', 'actor', 'Person', { width: 200 }),
    ownColumn('text', 'subject', 'Subject', { width: 190 }),
    ownColumn('text', 'detail', 'Detail', { sql: sql`audit.detail::text`, width: 320 }),
  ],
  shown: ['act', 'actor', 'subject', 'detail', 'kind', 'at'],
  chips: EXCEPTION_KINDS.map((kind) => ({ key: kind, label: EXCEPTION_KIND_TEXT[kind], where: actsOf(kind) })),
  search: {
    label: () => 'Filter by person or subject',
    note: () => 'Any part of a person or a subject matches.',
    where: (_, find) => sql`(strpos(lower(audit.actor), lower(${find})) > 0 or strpos(lower(audit.subject), lower(${find})) > 0)`,
  },
  from: (db, { gameId, window }) =>
    db
      .selectFrom('audit')
      .where(sql<boolean>`(audit.game_id = ${gameId} or audit.game_id is null)`)
      .where(sql<boolean>`(${sql.join(EXCEPTION_KINDS.map(actsOf), sql` or `)})`)
      .$if(window !== null, (query) =>
        query.where('audit.at', '>=', window?.start ?? '').where('audit.at', '<', window?.end ?? ''),
      ) as unknown as ListSource,
  order: { key: 'at', dir: 'asc' },
  ends: { first: 'Oldest', last: 'Newest' },
  scope: ({ gameId, window }) => `exceptions ${gameId} ${window?.start ?? ''} ${window?.end ?? ''}`,
};

/** Reads one page of the exceptions of a game. Throws `CursorError`. */
export async function listExceptions(
  db: Db,
  of: ExceptionsOf,
  request: ListFilter & { page: PageRequest },
): Promise<RowPage<ExceptionRow>> {
  const { rows, ...rest } = await listRows(db, EXCEPTIONS, of, request);
  return { ...rest, rows: rows.map((row) => ({ ...row, kind: parseEnum(EXCEPTION_KINDS, row.kind) })) };
}

/** How far both chains are, and what `verify` found last. */
export interface ChainState {
  /** Position of the newest snapshot of the game; null: none is stored. */
  snapshotPosition: number | null;
  /** Position of the newest link of the audit; null: none is linked. */
  auditPosition: number | null;
  /** Entries of the audit that have no link yet. */
  unlinkedCount: number;
  /** null: the command never ended. */
  verification: { endedAt: string; snapshotCount: number; auditCount: number; violationCount: number; hasHeads: boolean } | null;
  /** The database’s clock. */
  readAt: string;
}

/** Finds how far the chains of a game's snapshots and of the audit are, and the newest result of `verify` that covers the game. */
export async function findChainState(db: Db, gameId: number): Promise<ChainState> {
  const { rows } = await sql<ChainState>`
    select (select max(chain_no) from snapshot where game_id = ${gameId}) as "snapshotPosition", newest.position as "auditPosition",
      (select count(*)::int from audit a where a.audit_id > coalesce(newest.audit_id, 0) - ${IDS_BEHIND}::int
        and not exists (select from audit_link l where l.audit_id = a.audit_id)) as "unlinkedCount",
      (select json_build_object('endedAt', ${nestedInstant('v.ended_at')}, 'snapshotCount', v.snapshot_count, 'auditCount', v.audit_count,
          'violationCount', v.violation_count, 'hasHeads', v.has_heads)
        from verification v where v.game_id is null or v.game_id = ${gameId} order by v.verification_id desc limit 1) as verification,
      clock_now() as "readAt"
    from (select 1) one left join (select position, audit_id from audit_link order by position desc limit 1) newest on true`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a statement without a condition found no row');
  return row;
}
