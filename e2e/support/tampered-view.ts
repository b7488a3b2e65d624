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
