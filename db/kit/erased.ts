import { type RawBuilder, sql } from 'kysely';

/** Whether a player of a game was erased. */
export function isErased(gameId: number, playerId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from recipient_erasure erased where erased.game_id = ${gameId} and erased.recipient_player_id = ${playerId})`;
}
