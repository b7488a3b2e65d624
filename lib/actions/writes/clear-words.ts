import { type RawBuilder, sql } from 'kysely';

/** Removes what people wrote with a player's actions that have ended; of one that is open, its end does. */
export function clearWords({ gameId, playerId }: { gameId: number; playerId: number }): RawBuilder<unknown> {
  return sql`update desk_action set reason_text = null, ticket = null
    where game_id = ${gameId} and player_id = ${playerId} and ended_at is not null and (reason_text is not null or ticket is not null)`;
}
