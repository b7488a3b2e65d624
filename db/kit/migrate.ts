import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Kysely, sql } from 'kysely';
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import type { Database } from '../types.ts';
import { comparePlacements, findPlacementProblem, listPlacedTables } from './cluster.ts';
import { type Db, openDb } from './open.ts';
import { grantRights } from './rights.ts';

/** The folder of numbered SQL files. */
export const MIGRATIONS_FOLDER = path.join(import.meta.dirname, '../migrations');

/**
 * Brings a database to the newest schema and its logins to their rights; doing it twice, or in two processes at once, does no harm.
 * In a database that `roles.sql` prepared, a login that may act as its owner does.
 * Errors: throws where the server is too old, where tables of a cluster are distributed in part, or with the name of the migration that failed, or that
 * adds a table without placing it; nothing of that migration stays.
 */
export async function migrateDatabase(url: string): Promise<void> {
  await withOwner(url, async (db) => {
    const version = await findServerVersion(db);
    if (!isSupportedServer(version)) throw new Error(`PostgreSQL ${version} is too old: use ${SERVER_MAJOR_MIN} or newer.`);
    const problem = findPlacementProblem(await listPlacedTables(db));
    if (problem !== null) throw new Error(problem);
    const { error, results } = await migratorOf(db).migrateToLatest();
    if (error) {
      const failed = results?.find((result) => result.status === 'Error')?.migrationName ?? 'unknown';
      throw new Error(`migration ${failed} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
    await grantRights(db);
  });
}

/** Does work with the rights of the owner of the tables, as the login of an address that may act as them. */
export async function withOwner<Result>(url: string, work: (db: Db) => Promise<Result>): Promise<Result> {
  const { db, close } = openDb(url, { poolSize: 2, statement_ms: 0, prepare: ACT_AS_OWNER });
  try {
    return await work(db);
  } finally {
    await close();
  }
}

/** And one connection to each server of a cluster does the work: what is done over several can't be followed by foreign keys in one transaction. */
const ACT_AS_OWNER = `set citus.multi_shard_modify_mode = 'sequential'; select set_config('role', rolname, false) from pg_database join pg_roles on pg_roles.oid = datdba
  where datname = current_database() and rolname = 'sharebook_owner' and pg_has_role(rolname, 'member')`;

function migratorOf(db: Kysely<never> | Kysely<Database>): Migrator {
  return new Migrator({ db: db as Kysely<never>, provider: new SqlFiles() });
}

class SqlFiles implements MigrationProvider {
  async getMigrations(): Promise<Record<string, Migration>> {
    const names = (await readdir(MIGRATIONS_FOLDER)).filter((name) => name.endsWith('.sql')).toSorted();
    const texts = await Promise.all(names.map((name) => readFile(path.join(MIGRATIONS_FOLDER, name), 'utf8')));
    return Object.fromEntries(
      names.map((name, index) => [name.replace('.sql', ''), { up: async (db) => await applyFile(db, texts[index] ?? '') }]),
    );
  }
}

/** A table that a migration adds to a cluster without placing it would break every statement that joins it. */
async function applyFile(db: Db, text: string): Promise<void> {
  await sql.raw(text).execute(db);
  const tables = await listPlacedTables(db);
  if (!tables.some(({ is }) => is === 'distributed')) return;
  const { unplaced, misplaced, unlisted } = comparePlacements(tables);
  if (unlisted.length > 0) throw new Error(`db/distribution.ts doesn't list ${unlisted.join(', ')}, so nobody knows where it must be`);
  if (unplaced.length + misplaced.length > 0)
    throw new Error(`it adds tables without place_table(): ${[...unplaced, ...misplaced].join(', ')}`);
}

/** The version of the PostgreSQL server, as it reports it. */
export async function findServerVersion(db: Db): Promise<string> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db);
  return rows[0]?.version ?? '';
}

/** The oldest server that has every function its statements call. */
export const SERVER_MAJOR_MIN = 16;

/** Whether Sharebook works on a server of that version, such as `16.4 (Debian)`. */
export function isSupportedServer(version: string): boolean {
  return Number.parseInt(version, 10) >= SERVER_MAJOR_MIN;
}
