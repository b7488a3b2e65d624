import { createHash } from 'node:crypto';
import { type Expression, type QueryExecutorProvider, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { parseInstant } from '#lib/core/instant.ts';
import type { Db } from './open.ts';

export type Direction = 'asc' | 'desc';
export type KeyType = 'numeric' | 'bigint' | 'timestamptz' | 'text';

/** One expression rows are ordered by; never NULL. */
export interface SortKey {
  sql: RawBuilder<unknown>;
  type: KeyType;
  /** It runs against the requested direction: net descending goes with the id ascending. */
  isReversed?: true;
}

export interface PageRequest {
  sort: string;
  dir: Direction;
  /** Where the page before ended; null: from the beginning. */
  after: string | null;
  /** How many rows come before, in steps of `ANCHOR_EVERY`; instead of `after`, for lists that `readBlock` reads. */
  from?: number;
  limit: number;
  /** The total of the whole list comes along. */
  withTotal?: boolean;
}

export interface RowPage<Row> {
  rows: Row[];
  /** Where the next page begins; null: these are the last rows. */
  next: string | null;
  /** Of all rows the filter leaves; null: not requested. */
  total: RowTotal | null;
}

/** The count of all rows a filter leaves, and the exact sum of each summed column by its key. */
export interface RowTotal {
  count: number;
  sums: Record<string, string>;
}

/** A cursor that is invalid, or belongs to another order or snapshot. */
export class CursorError extends Error {}

/** A list without its order: its rows, and one row that counts them (`count`) and adds them up (exact text by column key). */
export interface ListQuery<DB, TB extends keyof DB, Row> {
  rows: SelectQueryBuilder<DB, TB, Row>;
  total: Expression<TotalRow>;
  /** Its rows can change under the same statement and values, as when they depend on another month: nothing of it is cached. */
  isChanging?: boolean;
}

/** The count, and sums by column key. */
type TotalRow = Record<string, number | string>;

/**
 * Reads one page of an ordered list by key, never by counting rows, and its total in the same statement where it is requested. `keys` end in one that
 * makes every row distinct, so the ascending list is exactly the descending one from its other end. Throws `CursorError` for a cursor of another list.
 */
export async function readPage<DB, TB extends keyof DB, Row>(
  db: QueryExecutorProvider,
  { rows: query, total }: ListQuery<DB, TB, Row>,
  keys: SortKey[],
  request: PageRequest,
  scope: CursorScope,
): Promise<RowPage<Row>> {
  const directions = keys.map((key) => directionOf(key, request.dir));
  let page = query.select(sql<string[]>`array[${sql.join(keys.map((key) => sql`(${key.sql})::text`))}]`.as('page_keys'));
  if (request.after !== null) {
    const values = decodeCursor(
      request.after,
      scope,
      keys.map((key) => key.type),
    );
    if (!values) throw new CursorError('the cursor does not belong to this list');
    page = page.where(afterKeys(keys, directions, values));
  }
  for (const [index, key] of keys.entries()) page = page.orderBy(key.sql, directions[index]);
  page = page.limit(request.limit + 1);
  const { found, ...counted } = request.withTotal
    ? await readBeside<Row>(db, page, total)
    : { found: (await page.execute()) as Keyed<Row>[], total: null };
  const rows = found.slice(0, request.limit);
  const last = rows.at(-1);
  return {
    rows: rows.map(withoutKeys),
    next: found.length > request.limit && last ? encodeCursor(scope, last.page_keys) : null,
    ...counted,
  };
}

type Keyed<Row> = Row & { page_keys: string[] };

/** Reads a page beside its total, which is there even when no row is. A join promises no order, so each row carries its position. */
async function readBeside<Row>(
  db: QueryExecutorProvider,
  page: Expression<unknown>,
  total: Expression<TotalRow>,
): Promise<{ found: Keyed<Row>[]; total: RowTotal }> {
  const { rows } = await sql<Keyed<Row> & { page_place: number | null; page_total: TotalRow }>`
    select placed.*, to_json(total) as page_total
    from ${total} as total left join (select page.*, row_number() over () as page_place from ${page} as page) as placed on true
    order by placed.page_place`.execute(db);
  const [first] = rows;
  if (!first) throw new Error('a list came without its total');
  const { count, ...sums } = first.page_total;
  return {
    found: rows
      .filter((row) => row.page_place !== null)
      .map(({ page_place: _, page_total: _total, ...row }) => row as unknown as Keyed<Row>),
    total: { count: Number(count), sums: sums as Record<string, string> },
  };
}

/** A block begins at an anchor, the keys of every so many-th row. */
export const ANCHOR_EVERY = 100;

/**
 * Reads a page as `readPage`, or the rows from a rank on: between two anchors, so that any position of a long list costs as much as its first.
 * For lists that don't change while they are read, such as the rows of a snapshot. The anchors of an order and filter are found in one
 * statement and cached; a block without its number of rows shows that the list did change, and they are found again.
 */
export async function readBlock<DB, TB extends keyof DB, Row>(
  db: Db,
  list: ListQuery<DB, TB, Row>,
  keys: SortKey[],
  request: PageRequest,
  scope: CursorScope,
): Promise<RowPage<Row>> {
  const { from = 0, limit } = request;
  if (from === 0) return await readPage(db, list, keys, request, scope);
  if (from % ANCHOR_EVERY !== 0 || limit % ANCHOR_EVERY !== 0) throw new Error(`rows ${from} to ${from + limit} are no block`);
  const directions = keys.map((key) => directionOf(key, request.dir));
  const backwards = directions.map((direction) => (direction === 'asc' ? 'desc' : 'asc'));
  for (let isAgain = false; ; isAgain = true) {
    const anchors = await findAnchors(db, list.rows, keys, directions, isAgain || list.isChanging === true);
    const [first, end] = [anchors[from / ANCHOR_EVERY], anchors[(from + limit) / ANCHOR_EVERY]];
    let block = list.rows;
    // Both bounds, and no limit: an index scan reads the rows of the block alone.
    if (first) block = block.where(afterKeys(keys, directions, first, 'inclusive'));
    if (end) block = block.where(afterKeys(keys, backwards, end));
    for (const [index, key] of keys.entries()) block = block.orderBy(key.sql, directions[index]);
    const rows = first ? await block.execute() : [];
    if (isAgain || (end === undefined ? rows.length <= limit : rows.length === limit))
      return { rows: rows.slice(0, limit), next: null, total: null };
  }
}

/** The anchors of lists by their statement and its values, which name the snapshot, the order, the filter and whose view it is. */
const cache = new WeakMap<Db, Map<string, { found: Promise<string[][]>; count: number }>>();

/** About 20 MB of anchors: those of a hundred lists of 50,000 rows. A list counts at least as one hundred, so that short ones are bounded too. */
const ANCHORS_MAX = 50_000;
const LIST_COUNT_MIN = 100;

async function findAnchors<DB, TB extends keyof DB, Row>(
  db: Db,
  query: SelectQueryBuilder<DB, TB, Row>,
  keys: SortKey[],
  directions: Direction[],
  isAgain: boolean,
): Promise<string[][]> {
  const order = sql.join(keys.map((key, index) => sql`${key.sql} ${sql.raw(directions[index] ?? 'asc')}`));
  const ranked = query
    .clearSelect()
    .select(keys.map((key, index) => sql`${key.sql}`.as(`key_${index}`)))
    .select(sql<number>`row_number() over (order by ${order})`.as('rank'));
  const texts = sql.join(keys.map((_, index) => sql`${sql.ref(`key_${index}`)}::text`));
  const statement = sql<{ anchor: string[] }>`
    select array[${texts}] as anchor from (${ranked}) as ranked where rank % ${sql.lit(ANCHOR_EVERY)} = 1 order by rank`;
  const compiled = statement.compile(db);
  const name = createHash('sha256')
    .update(JSON.stringify([compiled.sql, compiled.parameters]))
    .digest('base64');
  const lists = cache.get(db) ?? new Map<string, { found: Promise<string[][]>; count: number }>();
  cache.set(db, lists);
  const known = isAgain ? undefined : lists.get(name);
  const list = known ?? { found: statement.execute(db).then(({ rows }) => rows.map((row) => row.anchor)), count: 0 };
  // The one used last is cached longest.
  lists.delete(name);
  lists.set(name, list);
  try {
    const anchors = await list.found;
    list.count = Math.max(LIST_COUNT_MIN, anchors.length);
    let sum = [...lists.values()].reduce((all, each) => all + each.count, 0);
    for (const [oldest, { count }] of lists) {
      if (sum <= ANCHORS_MAX || oldest === name) break;
      lists.delete(oldest);
      sum -= count;
    }
    return anchors;
  } catch (error) {
    if (lists.get(name) === list) lists.delete(name);
    throw error;
  }
}

/** The keys of an order by its name; an unknown name is a bug of the caller, which validates names first. */
export function keysOf(sorts: Record<string, SortKey[]>, sort: string): SortKey[] {
  const keys = Object.hasOwn(sorts, sort) ? sorts[sort] : undefined;
  if (!keys) throw new Error(`no order of that name: ${sort}`);
  return keys;
}

function withoutKeys<Row>(row: Keyed<Row>): Row {
  const { page_keys: _, ...rest } = row;
  return rest as unknown as Row;
}

function directionOf(key: SortKey, dir: Direction): Direction {
  if (!key.isReversed) return dir;
  return dir === 'asc' ? 'desc' : 'asc';
}

function afterKeys(
  keys: SortKey[],
  directions: Direction[],
  values: string[],
  bound: 'exclusive' | 'inclusive' = 'exclusive',
): RawBuilder<SqlBool> {
  const typed = keys.map((key, index) => sql`${values[index]}::${sql.raw(key.type)}`);
  const equal = bound === 'inclusive' ? sql`=` : sql``;
  const isUniform = directions.every((direction) => direction === directions[0]);
  if (isUniform) return sql`(${sql.join(keys.map((key) => key.sql))}) ${operator(directions[0])}${equal} (${sql.join(typed)})`;
  // The bound on the first key alone lets an index on it start at the right row.
  const first = sql`${keys[0]?.sql} ${operator(directions[0])}= ${typed[0]}`;
  return sql`(${first} and ${stepwise(keys, directions, typed, equal)})`;
}

function stepwise(keys: SortKey[], directions: Direction[], typed: RawBuilder<unknown>[], equal: RawBuilder<unknown>): RawBuilder<SqlBool> {
  if (keys.length <= 1) return sql`${keys[0]?.sql} ${operator(directions[0])}${equal} ${typed[0]}`;
  const beyond = sql<SqlBool>`${keys[0]?.sql} ${operator(directions[0])} ${typed[0]}`;
  const rest = stepwise(keys.slice(1), directions.slice(1), typed.slice(1), equal);
  return sql`(${beyond} or (${keys[0]?.sql} = ${typed[0]} and ${rest}))`;
}

function operator(direction: Direction | undefined): RawBuilder<unknown> {
  return direction === 'desc' ? sql`<` : sql`>`;
}

/** What a cursor is bound to: the list (sheet and snapshot), its order and its filter. */
export interface CursorScope {
  list: string;
  sort: string;
  dir: string;
}

const LENGTH_MAX = 4000;
const GRAMMAR: Record<KeyType, RegExp> = {
  numeric: /^(-?\d{1,30}(\.\d{1,18})?|-?Infinity)$/,
  bigint: /^-?\d{1,18}$/,
  timestamptz: /^(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,6})?\+00|-infinity)$/,
  text: /^[^\0]{0,500}$/s,
};

/** Encodes where a page ended, for the next request; opaque to the client. */
export function encodeCursor(scope: CursorScope, values: string[]): string {
  return Buffer.from(JSON.stringify([scope.list, scope.sort, scope.dir, ...values])).toString('base64url');
}

/** Reads a cursor back; null when it is damaged, forged or of another list or order. Values fit their types. */
export function decodeCursor(cursor: string, scope: CursorScope, types: KeyType[]): string[] | null {
  if (cursor.length > LENGTH_MAX || !/^[\w-]+$/.test(cursor)) return null;
  const parts = parseTexts(Buffer.from(cursor, 'base64url').toString());
  if (!parts || parts.length !== types.length + 3) return null;
  const [list, sort, dir, ...values] = parts;
  if (list !== scope.list || sort !== scope.sort || dir !== scope.dir) return null;
  return types.every((type, index) => fits(type, values[index] ?? '')) ? values : null;
}

function fits(type: KeyType, value: string): boolean {
  // A 30th of February has the shape of an instant.
  return GRAMMAR[type].test(value) && (type !== 'timestamptz' || value === '-infinity' || parseInstant(`${value}:00`) !== null);
}

function parseTexts(text: string): string[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((part) => typeof part === 'string') ? value : null;
  } catch {
    return null;
  }
}
