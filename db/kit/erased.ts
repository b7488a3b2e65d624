import { type RawBuilder, sql } from 'kysely';
import type { Db } from './open.ts';

/** Until the transaction ends, nobody of the game is erased. The row that is locked lies with the game: an advisory lock would be of one server. */
export async function holdBackErasures(tx: Db, gameId: number): Promise<void> {
  await sql`select hold_erasures(${gameId}, false)`.execute(tx);
}

/** Until the transaction ends, what `holdBackErasures` protects is stored by no other transaction. Waits for those that store it now. */
export async function holdBackNames(tx: Db, gameId: number): Promise<void> {
  await sql`select hold_erasures(${gameId}, true)`.execute(tx);
}

/** Whether a player of a game was erased. */
export function isErased(gameId: number, playerId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from recipient_erasure erased where erased.game_id = ${gameId} and erased.recipient_player_id = ${playerId})`;
}
