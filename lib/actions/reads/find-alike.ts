import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { CLAIM_FIELDS, type ClaimField, parseStoredFacts } from '../rules/action-facts.ts';
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

/** The fields of its player that Invo's 400 to earlier claims of a transfer named, in the order in which a claim sends them; another field can't be sent. */
export async function listClaimFields(
  db: Db,
  { gameId, playerId, transactionId }: { gameId: number; playerId: number; transactionId: string },
): Promise<ClaimField[]> {
  const { rows } = await sql<{ named: string }>`select answer_facts ->> 'named_fields' as named
    from desk_action join desk_action_attempt using (game_id, action_id)
    where game_id = ${gameId} and player_id = ${playerId} and kind = 'claim' and subject = ${`collect ${transactionId}`} and status = 400
      and answer_facts ->> 'named_fields' is not null`.execute(db);
  const named = new Set(rows.flatMap((row) => row.named.split(', ')));
  return CLAIM_FIELDS.filter((field) => named.has(field));
}
