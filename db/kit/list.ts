import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { CellShape, SheetColumn } from '#lib/core/csv.ts';
import type { Database } from '../types.ts';
import type { Db } from './open.ts';
import { type Direction, keysOf, type PageRequest, type RowPage, readBlock, readPage, type SortKey } from './paging.ts';

/** A piece of SQL, the same for every reader or by what the list is read from. */
type ListSql<Context, Value = unknown> = RawBuilder<Value> | ((context: Context) => RawBuilder<Value>);

/** A value of a row that no column shows: a cell is composed of it. */
interface ListFact<Context> {
  key: string;
  sql: ListSql<Context>;
  /** It depends on other months than the list’s own, so it can change while the list doesn’t. */
  isBeside?: true;
}

/** A column of a list: its head, its value, and how a screen shows and orders it. */
export interface ListColumn<Context> extends SheetColumn, ListFact<Context> {
  /** Least width on a screen, in pixels; without it no screen has the column. */
  width?: number;
  /** How a screen shows it, where that isn’t its kind. */
  shape?: CellShape;
  /** Hidden until someone chooses it. */
  isOptional?: true;
  /** The figure a phone shows. */
  isKey?: true;
  /** Shown as a negative figure. */
  isDeducted?: true;
  /** Rows that the totals row sums, unless the filter leaves none of them: then it sums all that it leaves. */
  summedWhere?: RawBuilder<SqlBool>;
  /** In the file only, and never in what a browser holds: the same in every row, or private. */
  isFileOnly?: true;
  /** What rows are ordered by where a person sorts by it; the last key makes every row distinct. */
  sort?: SortKey[];
}

/** A column of a screen whose cells are composed of facts. */
interface ComposedColumn {
  key: string;
  label: string;
  shape: CellShape;
  width: number;
  isOptional?: true;
}

/** A ready-made filter. */
interface ListChip<Context> {
  key: string;
  label: string;
  where: ListSql<Context, SqlBool>;
  isBeside?: true;
  /** The order it switches to, largest first. */
  sort?: string;
}

/** One list: what a screen, a file, their sums and their order follow from. `Context` is what it is read from, and for whom; `Row` names the values that cells are composed of. */
export interface List<Context, Row extends object = Record<string, unknown>> {
  name: string;
  /** One row and several rows as nouns. */
  noun: [string, string];
  /** The columns of the file, in its order; those with a width are on the screen too. */
  columns: ListColumn<Context>[];
  /** Columns of the screen alone; a summed one is in the totals row. */
  added?: ListColumn<Context>[];
  composed?: ComposedColumn[];
  facts?: ListFact<Context>[];
  /** Keys of the columns of the screen that come first, in order; the others follow. */
  shown: string[];
  /** “All” comes before these; the default chip comes before “All”. */
  chips: ListChip<Context>[];
  /** The default chip on screen and in files; omitted: all rows. */
  defaultChip?: string;
  /** Whether a chip states how many rows it leaves; one without rows is left out. */
  hasCounts?: true;
  search: {
    label(reader: ListReader): string;
    /** How a text is matched, in a sentence. */
    note(reader: ListReader): string;
    where(context: Context, find: string): RawBuilder<SqlBool>;
  };
  /** The tables, and the condition that makes the rows those of this list. All values are literals, so that COPY can run it. */
  from(db: Db, context: Context): ListSource;
  /** The tables that only cells read, those of the file too: no filter, sum or order needs them, so a count leaves them out. */
  cellJoins?(source: ListSource, context: Context): ListSource;
  /** The tables that only facts and added columns read. */
  joins?(source: ListSource, context: Context): ListSource;
  /** Which rows alone the reader wants, whatever else filters them; null: all. */
  only?(context: Context): RawBuilder<SqlBool> | null;
  /** The order of the file, by the key of its column; the screen begins with it. */
  order: { key: string; dir: Direction };
  /** The two ends of that order as nouns. */
  ends: { first: string; last: string };
  isCompact?: true;
  /** What the rows belong to; a cursor is good for nothing else. */
  scope(context: Context): string;
  /** Rows are read by rank, as they never change. */
  isRanked?: true;
  /** No value: names the type of a row. */
  row?: Row;
}

/** For whom a list is, as far as its words depend on it. */
export interface ListReader {
  canSeeEmails: boolean;
  /** One recipient’s rows only; null: all. */
  recipient: number | null;
}

export type ListSource = SelectQueryBuilder<Database, keyof Database, object>;

/** Which rows of a list are wanted. */
export interface ListFilter {
  /** What was typed; empty: all. */
  find: string;
  /** The key of a chip; `all`: all. */
  chip: string;
}

/** The keys of the orders of a list. */
export function sortsOf<Context>(list: List<Context, object>): Record<string, SortKey[]> {
  return Object.fromEntries(listColumns(list).flatMap(({ key, sort }) => (sort === undefined ? [] : [[key, sort]])));
}

/** All columns of a list, of the file and of the screen alone. */
export function listColumns<Context>({ columns, added = [] }: List<Context, object>): ListColumn<Context>[] {
  return [...columns, ...added];
}

/** The condition that a search and a chip put on the rows, for pages, sums and files alike. */
export function filterRows<Context>(list: List<Context, object>, context: Context, { find, chip }: ListFilter): RawBuilder<SqlBool> {
  const own = list.chips.find((each) => each.key === chip);
  if (own === undefined && chip !== 'all') throw new Error(`the list ${list.name} has no chip ${chip}`);
  const all = [list.only?.(context), own && resolve(own.where, context), find === '' ? null : list.search.where(context, find)].filter(
    (each) => each !== undefined && each !== null,
  );
  return all.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.join(all, sql` and `)})`;
}

/** Reads one page of a list, with its total where it is requested. Throws `CursorError`. */
export async function listRows<Context, Row extends object>(
  db: Db,
  list: List<Context, Row>,
  context: Context,
  { page, ...filter }: ListFilter & { page: PageRequest },
): Promise<RowPage<Row>> {
  const condition = filterRows(list, context, filter);
  const values = [...listColumns(list), ...(list.facts ?? [])];
  const rows = joinedSource(db, list, context).where(condition).select(aliasAll(values, context));
  const isChanging = list.chips.some(({ key, isBeside }) => key === filter.chip && isBeside === true);
  const scope = { list: list.scope(context), sort: page.sort, dir: page.dir };
  const read = list.isRanked ? readBlock : readPage;
  const found = await read(
    db,
    { rows, total: totalOf(db, list, context, condition), isChanging },
    keysOf(sortsOf(list), page.sort),
    page,
    scope,
  );
  // The columns and facts are those the definition names, and `Row` names some of them.
  return found as unknown as RowPage<Row>;
}

function totalOf<Context>(db: Db, list: List<Context, object>, context: Context, condition: RawBuilder<SqlBool>) {
  const summed = summedColumns(list);
  const source = list.added?.some(({ isSummed }) => isSummed) ? joinedSource(db, list, context) : list.from(db, context);
  return source
    .where(condition)
    .select([sql<number>`count(*)`.as('count'), ...summed.map((column) => sumSql(column, resolve(column.sql, context)).as(column.key))]);
}

/** The columns whose sums the totals row has. */
export function summedColumns<Context>(list: List<Context, object>): ListColumn<Context>[] {
  return listColumns(list).filter(({ isSummed }) => isSummed);
}

function sumSql<Context>({ kind, summedWhere }: ListColumn<Context>, value: RawBuilder<unknown>): RawBuilder<string> {
  const chosen = summedWhere === undefined ? sql`` : sql`sum(${value}) filter (where ${summedWhere}), `;
  return sql<string>`coalesce(${chosen}sum(${value}), ${sql.raw(kind === 'count' ? '0' : '0.00')})::text`;
}

/** Counts the rows that each chip leaves, by its key. */
export async function countChips<Context>(db: Db, list: List<Context, object>, context: Context): Promise<Record<string, number>> {
  const counts = list.chips.map(({ key, where }) => sql<number>`count(*) filter (where ${resolve(where, context)})`.as(key));
  return await list
    .from(db, context)
    .select([sql<number>`count(*)`.as('all'), ...counts])
    .executeTakeFirstOrThrow();
}

/** The rows of a list’s file as a query that is not sent yet, those that a condition leaves. Cells come by the column’s key. */
export function fileRows<Context>(
  db: Db,
  list: List<Context, object>,
  context: Context,
  condition: RawBuilder<SqlBool> = sql`true`,
): FileRows {
  // A query without columns known to its type: its rows have those of the definition by their keys.
  return inOrder(list, cellSource(db, list, context).where(condition).select(aliasAll(list.columns, context))) as unknown as FileRows;
}

export interface FileRows extends Expression<unknown> {
  execute(): Promise<Record<string, unknown>[]>;
  stream(rowsAtOnce: number): AsyncIterable<Record<string, unknown>>;
  clearOrderBy(): Expression<unknown>;
}

/** The keys of the values that a browser holds of each row, either without what lies beside the list or only that. */
export function heldKeys<Context>(list: List<Context, object>, part: ListPart): string[] {
  return valuesOf(list, part)
    .filter((value) => !('isFileOnly' in value))
    .map(({ key }) => key);
}

/** What a list states by itself, or what changes with other months than its own. */
export type ListPart = 'own' | 'beside';

/** Whether a value, a chip or an order belongs to a part. */
export function isOfPart({ isBeside }: { isBeside?: true }, part: ListPart): boolean {
  return (isBeside === true) === (part === 'beside');
}

function valuesOf<Context>(list: List<Context, object>, part: ListPart): (ListColumn<Context> | ListFact<Context>)[] {
  return [...listColumns(list), ...(list.facts ?? [])].filter((value) => isOfPart(value, part));
}

/** All rows of a list in the order of its file, with the values of a part. */
export function streamList<Context>(
  db: Db,
  list: List<Context, object>,
  context: Context,
  part: ListPart,
): AsyncIterable<Record<string, unknown>> {
  const rows = inOrder(list, joinedSource(db, list, context).select(aliasAll(valuesOf(list, part), context)));
  // As in `fileRows`.
  return rows.stream(BATCH_ROWS) as AsyncIterable<Record<string, unknown>>;
}

/** Rows handed over at a time: enough to be quick, few enough that memory does not grow with the list. */
const BATCH_ROWS = 1_000;

/** The tables of a list with those that only facts and added columns read. */
export function joinedSource<Context>(db: Db, list: List<Context, object>, context: Context): ListSource {
  const source = cellSource(db, list, context);
  return list.joins?.(source, context) ?? source;
}

function cellSource<Context>(db: Db, list: List<Context, object>, context: Context): ListSource {
  const source = list.from(db, context);
  return list.cellJoins?.(source, context) ?? source;
}

function inOrder<Context>(list: List<Context, object>, rows: ListSource): ListSource {
  return rows.orderBy(orderSql(list));
}

/** The order of the file as SQL. */
export function orderSql<Context>(list: List<Context, object>): RawBuilder<unknown> {
  const { key, dir } = list.order;
  return sql.join(
    keysOf(sortsOf(list), key).map((each) => sql`${each.sql} ${sql.raw((dir === 'asc') === !each.isReversed ? 'asc' : 'desc')}`),
  );
}

function aliasAll<Context>(values: ListFact<Context>[], context: Context) {
  return values.map(({ key, sql: value }) => sql`${resolve(value, context)}`.as(key));
}

/** A piece of SQL for what the list is read from. */
export function resolve<Context, Value>(value: ListSql<Context, Value>, context: Context): RawBuilder<Value> {
  return typeof value === 'function' ? value(context) : value;
}
