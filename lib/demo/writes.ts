import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';

/** Wakes a worker that closes the demo's earlier months of a game. Waking twice is waking once. */
export async function wakeDemoYear(db: Db, gameId: number): Promise<void> {
  await sql`select wake('demo', ${String(gameId)}, jsonb_build_object('gameId', ${gameId}::int), clock_now())`.execute(db);
}
