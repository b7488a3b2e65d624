import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import Cursor from 'pg-cursor';
import type { Db } from '#db/kit/open.ts';
import type { Database } from '#db/types.ts';

/**
 * Changes a database as a superuser could, without any trigger, looks at it from inside the same transaction,
 * and takes the change back.
 */
export async function withTampering<Found>(
  pool: pg.Pool,
  tamper: (client: pg.PoolClient, view: Db) => Promise<void>,
  look: (view: Db) => Promise<Found>,
): Promise<Found> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`set local session_replication_role = 'replica'`);
    const view = openInside(client);
    await tamper(client, view);
    return await look(view);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** The database as one open transaction sees it; a transaction started in it joins that one, a savepoint is its own. */
function openInside(client: pg.PoolClient): Db {
  const query = (...args: Parameters<typeof client.query>): unknown =>
    /^(begin|start transaction.*|commit|rollback)$/.test(String(args[0])) ? Promise.resolve({ rows: [] }) : client.query(...args);
  const pool = { connect: async () => ({ query, release: () => undefined }), end: async () => undefined };
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool: pool as unknown as pg.Pool, cursor: Cursor }) });
}

/** What a value of each type becomes. `person` is for the columns that name one. */
const CHANGES: Record<string, (column: string) => string> = {
  numeric: (column) => `coalesce(${column}, 0) + 0.01`,
  integer: (column) => `coalesce(${column}, 0) + 1`,
  bigint: (column) => `coalesce(${column}, 0) + 1`,
  boolean: (column) => `not coalesce(${column}, false)`,
  bytea: (column) => `sha256(coalesce(${column}, ''))`,
  date: (column) => `coalesce(${column}, now()::date) + 1`,
  text: (column) => `coalesce(${column}, '') || 'x'`,
  jsonb: (column) => `jsonb_set(${column}, '{totals,payable}', '"1.00"')`,
  ARRAY: (column) => `array_append(${column}, 'on_hold')`,
  'timestamp with time zone': (column) => `coalesce(${column}, now()) + interval '40 days'`,
  person: (column) => `(select p.id from person p where p.id is distinct from ${column} order by p.id limit 1)`,
};
const PERSON = /_by$|^person_id$/;

/** Another value of a column of a type, as SQL. */
export function changedCell(column: string, type: string): string {
  const change = CHANGES[PERSON.test(column) ? 'person' : type];
  if (change === undefined) throw new Error(`no change for ${type}`);
  return change(column);
}

/** Disables every check, key and unique index of tables, as their owner can. */
export async function dropConstraints(client: pg.PoolClient, tables: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter table %s drop constraint %I cascade', conrelid::regclass, conname) as statement from pg_constraint
     where conrelid::regclass::text = any($1) and contype in ('c', 'u', 'p') union all
     select format('alter domain %I drop constraint %I', t.typname, c.conname) from pg_constraint c join pg_type t on t.oid = c.contypid
     where t.typname in ('usd', 'whole_cents') union all
     select format('drop index %s', i.indexrelid::regclass) from pg_index i where i.indrelid::regclass::text = any($1) and i.indisunique
       and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [tables],
  );
  for (const { statement } of rows) await client.query(statement);
}
