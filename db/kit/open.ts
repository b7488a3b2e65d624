import { Kysely, PostgresDialect, type PostgresPoolClient, type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import Cursor from 'pg-cursor';
import type { Database } from '../types.ts';

export type Db = Kysely<Database>;

export interface OpenDb {
  db: Db;
  close(): Promise<void>;
}

/** Called for every statement of a pool; `started` by the code that sends it. */
export interface StatementRecord {
  started: () => void;
  ended: (duration_ms: number) => void;
}

/**
 * Rows of one slice lie together and databases lie on solid-state disks, so an index costs little more than reading on. By the default of 4
 * the planner reads tables of lines whole to get one month.
 * The last is of a distributed database: after COPY it accepts no row of a table beside the games, such as the audit, unless shards are changed one after another.
 */
const SESSION_SETTINGS = [
  '-c timezone=UTC',
  '-c idle_in_transaction_session_timeout=120000',
  '-c random_page_cost=1.1',
  '-c citus.multi_shard_modify_mode=sequential',
].join(' ');

/** No statement runs longer unless its pool allows more: one that hangs gives its connection back. */
const STATEMENT_MS = 15 * 60_000;

/**
 * Opens a pool on Postgres that hands over money as text, instants as ISO text in UTC with microseconds, and counts as safe integers.
 * A backend that dies costs its query an error and never the process. `record` is called for every statement; `statement_ms` ends one that
 * runs longer, 0 never does; `prepare` is sent once on each connection, before all else; `onStream` is called before one whose
 * rows are read in parts; when it throws, that statement is not sent.
 */
export function openDb(
  url: string,
  options: {
    poolSize?: number;
    connect_ms?: number;
    statement_ms?: number;
    prepare?: string;
    record?: StatementRecord;
    onStream?: () => void;
  } = {},
): OpenDb {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: options.connect_ms ?? 5_000,
    idleTimeoutMillis: 30_000,
    options: `${SESSION_SETTINGS} -c statement_timeout=${options.statement_ms ?? STATEMENT_MS}`,
    types: { getTypeParser },
    ...(options.prepare === undefined
      ? {}
      : { onConnect: async (client: pg.ClientBase) => void (await client.query(options.prepare ?? '')) }),
  });
  // Without a handler on every client, a backend that ends inside a transaction is an uncaught error.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', () => undefined);
  if (options.onStream !== undefined) watchStreams(pool, options.onStream);
  if (options.record !== undefined) measureStatements(pool, options.record);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool, cursor: Cursor }) });
  pools.set(db, pool);
  return { db, close: () => closeBoth(db, pool) };
}

const pools = new WeakMap<Db, pg.Pool>();

/** The pool behind a handle that `openDb` opened. For `db/kit` alone, for what isn't a statement. Throws for the handle of a transaction. */
export function poolOf(db: Db): pg.Pool {
  const pool = pools.get(db);
  if (pool === undefined) throw new Error('the handle of a transaction has no pool');
  return pool;
}

const lentHandles = new WeakSet<Db>();

/** A handle on one connection, whose transaction and end stay the caller's. For `db/kit` alone. */
export function dbOn(client: pg.ClientBase): Db {
  // The driver calls these two alone; it makes no other use of a client.
  const lent = { query: client.query.bind(client), release: () => undefined } as unknown as PostgresPoolClient;
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: { connect: async () => lent, end: async () => undefined, options: {} } }),
  });
  lentHandles.add(db);
  return db;
}

/** Whether all statements of a handle are of one transaction. */
export function isInTransaction(db: Db): boolean {
  return db.isTransaction || lentHandles.has(db);
}

/** Reports every statement that a pool's clients send, BEGIN and COMMIT included. COPY and cursors are counted and not timed. */
function measureStatements(pool: pg.Pool, record: StatementRecord): void {
  aroundQueries(pool, (send) => {
    const started_at = performance.now();
    record.started();
    const answer = send();
    if (answer instanceof Promise) {
      const end = (): void => record.ended(performance.now() - started_at);
      answer.then(end, end);
    }
    return answer;
  });
}

/** Calls `onStream` before a statement is sent whose rows are read in parts: a cursor or a COPY, which the client is given as an object of its own. */
function watchStreams(pool: pg.Pool, onStream: () => void): void {
  aroundQueries(pool, (send, statement) => {
    if (typeof statement === 'object' && statement !== null && 'submit' in statement) onStream();
    return send();
  });
}

/** Has every statement of a pool's clients sent by `around`, which returns what sending it returns. */
function aroundQueries(pool: pg.Pool, around: (send: () => unknown, statement: unknown) => unknown): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const wrapped = (...args: unknown[]): unknown => around(() => query(...args), args[0]);
    // Same parameters, same answer.
    client.query = wrapped as typeof client.query;
  });
}

/** Kysely ends the pool only once it has used it. */
async function closeBoth(db: Db, pool: pg.Pool): Promise<void> {
  await db.destroy();
  if (!pool.ended) await pool.end();
}

const { builtins } = pg.types;
const asText = (value: string): string => value;
const PARSERS: Record<number, (value: string) => unknown> = {
  [builtins.INT8]: parseCount,
  [builtins.TIMESTAMPTZ]: parseTimestamp,
  [builtins.NUMERIC]: asText,
  [builtins.DATE]: asText,
  1231: asText, // numeric[] would become floats
};

function getTypeParser(id: number, format?: 'text' | 'binary'): (value: string) => unknown {
  return PARSERS[id] ?? (pg.types.getTypeParser(id, format as 'text') as (value: string) => unknown);
}

function parseCount(value: string): number {
  const count = Number(value);
  if (!Number.isSafeInteger(count)) throw new Error(`a count beyond the safe integers came from the database: ${value}`);
  return count;
}

/** A pooler can drop the settings of a session; times of another zone would be read as if they were UTC. */
function parseTimestamp(value: string): string {
  if (!value.endsWith('+00')) throw new Error(`the session of the database isn't in UTC: ${value}`);
  return `${value.slice(0, -3).replace(' ', 'T')}Z`;
}

/** An amount inside a nested row, where a number of JSON would lose its digits: the same text as at the top of an answer. */
export function nestedMoney<Amount extends string | null = string>(column: string): RawBuilder<Amount> {
  return sql<Amount>`${sql.ref(column)}::text`;
}

/** An instant inside a nested row: the same text as at the top of an answer. */
export function nestedInstant<Instant extends string | null = string>(column: string): RawBuilder<Instant> {
  return sql<Instant>`replace(replace(${sql.ref(column)}::text, ' ', 'T'), '+00', 'Z')`;
}

/** The seconds since 1970 of a column. */
export function epochSeconds(column: string): RawBuilder<number> {
  return sql`extract(epoch from ${sql.ref(column)})::float8`;
}

/**
 * Runs work in one transaction, whose handle is a `Db` like any other; any error rolls back and is thrown on. A connection whose rollback fails
 * isn't used again. Called with the handle of a transaction, the work belongs to that one.
 */
export async function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  if (isInTransaction(db)) return await work(db);
  const followUps: FollowUp[] = [];
  const done = await db.transaction().execute(async (tx) => {
    followUpsOf.set(tx, followUps);
    return await work(tx);
  });
  for (const followUp of followUps) await followUp(db);
  return done;
}

/** What follows a commit, on the handle that the transaction was started with. */
type FollowUp = (db: Db) => Promise<void>;

const followUpsOf = new WeakMap<Db, FollowUp[]>();

/** Runs `followUp` once the transaction of a handle is committed, and not at all if it isn't; outside a transaction at once. */
export async function afterCommit(db: Db, followUp: FollowUp): Promise<void> {
  const followUps = followUpsOf.get(db);
  if (followUps === undefined) await followUp(db);
  else followUps.push(followUp);
}

/**
 * Runs statements of a transaction whose joins are by hash or merge alone. For joins of many rows with a table that was filled a moment ago: until it is analyzed the
 * planner expects one row of it and compares every row with every other.
 */
export async function withoutNestedLoops<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await sql`set local enable_nestloop = off`.execute(tx);
  const done = await work();
  await sql`set local enable_nestloop = on`.execute(tx);
  return done;
}

/** Runs reads over one frozen view of the database, which they can't change. Throws with the handle of a transaction: its view isn't frozen. */
export async function inFrozenView<T>(db: Db, work: (view: Db) => Promise<T>): Promise<T> {
  if (isInTransaction(db)) throw new Error('a transaction that is running gets no frozen view');
  return await db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
}

/**
 * Streams what `read` yields from one frozen, read-only view of the database. The view ends with the stream, also when its reader stops early.
 * Throws with the handle of a transaction, as `inFrozenView` does.
 */
export async function* streamFrozenView<T>(db: Db, read: (view: Db) => AsyncIterable<T>): AsyncGenerator<T> {
  if (isInTransaction(db)) throw new Error('a transaction that is running gets no frozen view');
  const view = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute();
  try {
    // The reader sets the pace: it may take its time between two statements, as long as any download may take.
    await sql`set local idle_in_transaction_session_timeout = '30min'`.execute(view);
    yield* read(view);
  } finally {
    // A connection that broke has nothing to roll back, and its error is on its way.
    await view
      .rollback()
      .execute()
      .catch(() => undefined);
  }
}

/** Sends an insert, update or delete; returns how many rows it changed. */
export async function countChanges(db: Db, statement: RawBuilder<unknown>): Promise<number> {
  return Number((await statement.execute(db)).numAffectedRows ?? 0n);
}

/** The result of work that ends within a limit. Throws after it; the work itself continues, and what becomes of it is ignored. */
export async function within<Value>(limit_ms: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limit_ms} ms`)), limit_ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}

/** Reads rows of several games; while a server of a distributed database that holds some of them is away, reads `rest` instead. */
export async function readUnlessAway<Read, Rest>(whole: () => Promise<Read>, rest: () => Promise<Rest>): Promise<Read | Rest> {
  return await whole().catch(async (error: unknown) => {
    if (isServerAway(error)) return await rest();
    throw error;
  });
}

/** Whether a server can't be reached by its coordinator, or lost or ended a session, for which Citus has no code within a COPY. On one server: its own end. */
export function isServerAway(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return /^(08006|57P01)$/.test(String(error.code)) || /^(failure on connection marked|terminating connection)/.test(error.message);
}

/** The database's own clock, which stored times come from. ISO text ending in Z. */
export async function findDatabaseNow(db: Db): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_now() as now`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the database returned no time');
  return row.now;
}

/** Finds the version of Citus in this database, such as "14.0-1"; null: it has none, so it is on one server. */
export async function findCitusVersion(db: Db): Promise<string | null> {
  const { rows } = await sql<{ version: string }>`select extversion as version from pg_extension where extname = 'citus'`.execute(db);
  return rows[0]?.version ?? null;
}

/** The instant that a column has, and now where it has none yet. As `least`: a distributed database refuses the clock within COALESCE and CASE. */
export function firstInstant(column: string): RawBuilder<string> {
  return sql<string>`least(${sql.ref(column)}, clock_now())`;
}

/** An instant of this process, by `performance.now()`, as an instant of the database clock. It is computed when the statement is built. */
export function databaseInstant(at_ms: number): RawBuilder<string> {
  return sql<string>`clock_now() - make_interval(secs => ${(performance.now() - at_ms) / 1_000}::float8)`;
}
