import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type List, type ListColumn, type ListFilter, type ListSource, listRows } from '#db/kit/list.ts';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import type { PageRequest, RowPage, SortKey } from '#db/kit/paging.ts';
import type { CellKind } from '#lib/core/csv.ts';
import { parseEnum } from '#lib/core/strings.ts';
import type { Window } from '#lib/core/window.ts';
import {
  EXCEPTION_KINDS,
  EXCEPTIONAL_ACTS,
  EXPORT_ACT,
  type ExceptionKind,
  FAILED_IN_A_ROW,
  FAILED_SIGN_INS,
  INCOMPLETE_FILE,
  REFUSED_ACT,
} from './rules/exceptions.ts';
import { EXCEPTION_KIND_TEXT } from './text.ts';

/** What exceptions are read from. */
interface ExceptionsOf {
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
  if (kind === 'evidence') return sql`(${listed} or ${incompleteFile})`;
  return kind === 'people' ? sql`(${listed} or ${failedInARow})` : listed;
};

const incompleteFile = sql<SqlBool>`(audit.act = ${EXPORT_ACT} and strpos(audit.subject, ${INCOMPLETE_FILE}) > 0)`;

const FAILED = sql`${[...FAILED_SIGN_INS]}::text[]`;
/** A failed sign-in that others of the same account preceded within minutes: a range of the index `audit_failed_sign_in`, which ends at the entry itself. */
const failedInARow = sql<SqlBool>`(audit.act = any(${FAILED}) and ${FAILED_IN_A_ROW.count - 1} = (
  select count(*) from (select from audit before where before.actor = audit.actor and before.act = any(${FAILED})
    and (before.at, before.audit_id) < (audit.at, audit.audit_id)
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
    ownColumn('instant', 'at', 'Time', { width: 170, shape: 'text', isKey: true, sort: [AUDIT_ID] }),
    ownColumn('text', 'kind', 'Kind', { sql: kindOfAct, width: 130 }),
    ownColumn('text', 'act', 'Action', { width: 230, shape: 'link' }),
    ownColumn('text', 'actor', 'Person', { width: 190 }),
    ownColumn('text', 'subject', 'Subject', { width: 140 }),
    ownColumn('text', 'detail', 'Detail', { sql: sql`audit.detail::text`, width: 230 }),
  ],
  shown: ['act', 'at', 'actor', 'subject', 'detail', 'kind'],
  chips: [
    { key: 'unusual', label: 'Without notes', where: sql<SqlBool>`not (${actsOf('notes')})` },
    ...EXCEPTION_KINDS.map((kind) => ({ key: kind, label: EXCEPTION_KIND_TEXT[kind], where: actsOf(kind) })),
  ],
  defaultChip: 'unusual',
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

/** Entries without a link are counted this far behind the newest one that has one: an id is drawn before its transaction commits. */
const IDS_BEHIND = 10_000;

/** What the command `verify` found: over how many snapshots and entries of the audit, and whether links stored elsewhere were compared. */
export interface Verification {
  endedAt: string;
  snapshotCount: number;
  auditCount: number;
  violationCount: number;
  hasHeads: boolean;
}

/** The newest result of `verify` that covers a game, for a statement that reads other facts too; null: none. */
export function lastVerification(gameId: number): RawBuilder<Verification | null> {
  return sql`(
    select json_build_object('endedAt', ${nestedInstant('v.ended_at')}, 'snapshotCount', v.snapshot_count, 'auditCount', v.audit_count,
      'violationCount', v.violation_count, 'hasHeads', v.has_heads)
    from verification v where v.game_id is null or v.game_id = ${gameId} order by v.verification_id desc limit 1)`;
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
  verification: Verification | null;
  /** The database’s clock. */
  readAt: string;
}

/** Finds how far the chains of a game's snapshots and of the audit are, and the newest result of `verify` that covers the game. */
export async function findChainState(db: Db, gameId: number): Promise<ChainState> {
  const { rows } = await sql<ChainState>`
    select (select max(chain_no) from snapshot where game_id = ${gameId}) as "snapshotPosition", newest.position as "auditPosition",
      (select count(*)::int from audit a where a.audit_id > coalesce(newest.audit_id, 0) - ${IDS_BEHIND}::int
        and not exists (select from audit_link l where l.audit_id = a.audit_id)) as "unlinkedCount",
      ${lastVerification(gameId)} as verification, clock_now() as "readAt"
    from (select 1) one left join (select position, audit_id from audit_link order by position desc limit 1) newest on true`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a statement without a condition found no row');
  return row;
}
