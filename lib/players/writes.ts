import { sql } from 'kysely';
import { isErased } from '#db/kit/erased.ts';
import type { Db } from '#db/kit/open.ts';
import { LOOK_UPS_MAX } from './reads.ts';

/** Who looked up which player of which game. */
interface NewLookUp {
  gameId: number;
  personId: string;
  playerId: number;
}

/**
 * Stores that a person opened a player, unless the player was erased, and forgets what they opened before their last ones. It isn't audited: the list
 * is for the person alone.
 */
export async function upsertLookUp(db: Db, { gameId, personId, playerId }: NewLookUp): Promise<void> {
  await sql`insert into look_up (game_id, person_id, player_id, looked_at) select ${gameId}::int, ${personId}, ${playerId}::bigint, clock_now()
    where not ${isErased(gameId, sql`${playerId}`)}
    on conflict (game_id, person_id, player_id) do update set looked_at = excluded.looked_at returning player_id`.execute(db);
  await sql`delete from look_up where game_id = ${gameId} and person_id = ${personId} and player_id <> ${playerId} and looked_at < (
      select looked_at from look_up other where other.game_id = ${gameId} and other.person_id = ${personId} and other.player_id <> ${playerId}
      order by looked_at desc offset ${LOOK_UPS_MAX - 2} limit 1)`.execute(db);
}
