import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { parseStoredFacts } from '../rules/action-facts.ts';
import { NOT_CARRIED_OUT_STATES } from '../rules/action-state.ts';
import type { ActionKind } from '../rules/kinds.ts';
import { protocolOf } from '../rules/protocols.ts';

/** Finds the newest action of 30 days that requested the same for the player and may have been executed; null: none. */
export async function findAlike(
  db: Db,
  { gameId, playerId, kind, request, draftId }: { gameId: number; playerId: number; kind: ActionKind; request: unknown; draftId: string },
): Promise<number | null> {
  const { rows } = await sql<{ action_id: number; facts: unknown }>`select action_id, facts from desk_action
    where game_id = ${gameId} and player_id = ${playerId} and kind = ${kind} and draft_id <> ${draftId}::uuid
      and state <> all(${[...NOT_CARRIED_OUT_STATES]}) and requested_at > clock_now() - interval '30 days'
    order by action_id desc limit 100`.execute(db);
  const alike = rows.find(({ facts }) => protocolOf(kind).isAlike(request, parseStoredFacts(facts).request));
  return alike?.action_id ?? null;
}
