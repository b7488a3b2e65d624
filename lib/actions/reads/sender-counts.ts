import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { callerOf } from '../rules/action-facts.ts';
import type { ActionContent } from '../rules/action-ports.ts';
import { approvalOf } from '../rules/protocols.ts';
import { type SenderCounts, type SenderRoom, senderLimitOf, senderRoomOf } from '../rules/sender-limits.ts';

/** Which limit of its sender prevents a start now; null: none does, or it is no start. `actionId`: of one that is stored, whose own amount isn't counted. */
export async function findSenderLimit(
  db: Db,
  gameId: number,
  { kind, player_id, facts, amount }: Pick<ActionContent, 'kind' | 'player_id' | 'facts' | 'amount'>,
  actionId: number | null,
): Promise<ReturnType<typeof senderLimitOf>> {
  if (approvalOf(kind) === null || amount === null) return null;
  const counts = await findCounts(db, gameId, callerOf(player_id, facts), actionId);
  return senderLimitOf(counts, { isSend: kind === 'send_start', amount });
}

/** What is left to a sender now, for a form of a send or a transfer that isn't filled in. */
export async function findSenderRoom(db: Db, gameId: number, isSend: boolean, senderId: number): Promise<SenderRoom> {
  return senderRoomOf(await findCounts(db, gameId, senderId, null), isSend);
}

async function findCounts(db: Db, gameId: number, senderId: number, actionId: number | null): Promise<SenderCounts> {
  const { rows } = await sql<SenderCounts>`with own as materialized (
      select action_id, kind, state, amount, first_sent_at > clock_now() - interval '1 hour' as is_new, first_sent_at from desk_action
      where game_id = ${gameId} and kind in ('send_start', 'transfer_start') and first_sent_at > clock_now() - interval '24 hours'
        and coalesce((facts->'request'->>'house_player_id')::bigint, player_id) = ${senderId}::bigint),
    sent as (select * from own where kind = 'send_start' and state <> 'refused' and action_id is distinct from ${actionId}::bigint),
    called as (select committed_at from desk_action_attempt join own using (action_id)
      where game_id = ${gameId} and committed_at > clock_now() - interval '1 hour')
    select (select count(*) from sent where is_new)::int as sends, (select count(*) from called)::int as starts,
      (select coalesce(sum(amount), 0) from sent)::text as coins,
      coalesce(extract(epoch from (select min(committed_at) from called) + interval '1 hour' - clock_now()) * 1000, 0)::float8 as "hourLeft_ms",
      coalesce(extract(epoch from (select min(first_sent_at) from sent) + interval '24 hours' - clock_now()) * 1000, 0)::float8 as "dayLeft_ms"`.execute(
    db,
  );
  const [counts] = rows;
  if (counts === undefined) throw new Error('a statement without a row');
  return counts;
}
