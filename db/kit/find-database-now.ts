import { sql } from 'kysely';
import type { Db } from './open.ts';

/** The database's own clock, which stored times come from. ISO text ending in Z. */
export async function findDatabaseNow(db: Db): Promise<string> {
  const { rows } = await sql<{ now: string }>`select now()`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the database did not tell the time');
  return row.now;
}
