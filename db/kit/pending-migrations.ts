import { readdir } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Db } from './open.ts';

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
