import { sql } from 'kysely';
import type { Db } from './open.ts';

/**
 * What of a game is locked. `names`: shared by what stores the name of a person, exclusive for an erasure. `sends`: shared by attempts that start,
 * exclusive for a pause, a switch or a limit.
 */
type Purpose = 'names' | 'sends';

/**
 * Locks a game for a purpose until the transaction ends. Who locks it exclusively waits for all that share it, and they wait for that one. The row that
 * is locked lies with the game: an advisory lock would be of one server.
 */
export async function lockGame(tx: Db, gameId: number, purpose: Purpose, mode: 'shared' | 'exclusive'): Promise<void> {
  await sql`select lock_game(${gameId}, ${purpose}, ${mode === 'exclusive'})`.execute(tx);
}
