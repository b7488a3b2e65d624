import { readdir } from 'node:fs/promises';
import { sql } from 'kysely';
import { type Db, openDb } from './open.ts';

/** Creates a database unless it exists, over a connection of the server's administrator. The name consists of lower-case letters, digits and underscores. */
export async function ensureDatabase(administrator: string, name: string): Promise<void> {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name)) throw new Error(`"${name}" is not a valid database name.`);
  await withConnection(administrator, async (db) => {
    const { rows } = await sql`select 1 from pg_database where datname = ${name}`.execute(db);
    if (rows.length === 0) await sql`create database ${sql.id(name)}`.execute(db).catch(ignoreExisting);
  });
}

/** Runs the text of `roles.sql` in a database, and gives each of these logins its password unless it has one. */
export async function createLogins(
  administrator: string,
  roles: string,
  logins: readonly { username: string; password: string }[],
): Promise<void> {
  await withConnection(administrator, async (db) => {
    await sql.raw(roles).execute(db);
    const { rows } = await sql<{ name: string }>`
      select rolname as name from pg_authid where rolname = any(${logins.map(({ username }) => username)}) and rolpassword is null`.execute(
      db,
    );
    for (const { username, password } of logins) {
      if (rows.some(({ name }) => name === username)) await sql`alter role ${sql.id(username)} password ${sql.lit(password)}`.execute(db);
    }
  });
}

/** The data directory of the server at `url`; null: it doesn't accept the connection, or doesn't answer in time. */
export async function findDataDirectory(url: string, connect_ms: number): Promise<string | null> {
  try {
    const { rows } = await withConnection(url, (db) => sql<{ data_directory: string }>`show data_directory`.execute(db), { connect_ms });
    return rows[0]?.data_directory ?? null;
  } catch {
    return null;
  }
}

/** Does work over one connection to a database, which is closed afterwards. */
export async function withConnection<T>(url: string, work: (db: Db) => Promise<T>, options: { connect_ms?: number } = {}): Promise<T> {
  const { db, close } = openDb(url, { poolSize: 1, ...options });
  try {
    return await work(db);
  } finally {
    await close();
  }
}

function ignoreExisting(error: unknown): void {
  const code = (error as { code?: string }).code;
  if (code !== '42P04' && code !== '23505') throw error;
}

/**
 * Lists the numbered SQL files in a folder that a database has not applied, in order; empty when it is up to date.
 * It only reads, and takes the folder as a parameter, because a built server doesn't run from the folder of its sources.
 */
export async function listPendingMigrations(db: Db, folder: string): Promise<string[]> {
  const known = (await readdir(folder)).filter((name) => name.endsWith('.sql')).map((name) => name.replace('.sql', ''));
  const { rows: tables } = await sql<{ is_there: boolean }>`select to_regclass('kysely_migration') is not null as is_there`.execute(db);
  if (!tables[0]?.is_there) return known.toSorted();
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const applied = new Set(rows.map(({ name }) => name));
  return known.filter((name) => !applied.has(name)).toSorted();
}
