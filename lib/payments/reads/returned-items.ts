import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { ReturnedItem } from '../rules/item-state.ts';
import { BACK_STATES } from '../rules/report-row.ts';
import { saidOf } from './item-states.ts';

/**
 * The payments `i` of earlier approved runs, each as `origin`, that a run pays again: those that failed or came back, weren't re-issued and are in no other run. `runId` null: a run that
 * isn't stored yet.
 */
export const returnedItems = (gameId: number, runId: number | null): RawBuilder<unknown> => sql`
  payout_item i join payout_run origin on origin.game_id = ${gameId} and origin.run_id = i.run_id and origin.state = 'approved'
    left join lateral ${saidOf(gameId)} said on i.returned_in_run_id is not null
  where i.game_id = ${gameId} and (${runId}::bigint is null or i.run_id < ${runId})
    and (i.returned_in_run_id is null and i.state in ('failed', 'returned')
      or i.returned_in_run_id = ${runId} and said.state = any(${BACK_STATES}::text[]))`;

/** Lists the payments that a run pays again, or would pay as it is submitted, by run and number. */
export async function listReturnedItems(db: Db, { gameId, runId }: { gameId: number; runId: number | null }): Promise<ReturnedItem[]> {
  const { rows } = await sql<ReturnedItem>`
    select origin.run_no as "runNo", i.item_no as "itemNo", i.recipient_player_id as "recipientId", i.amount_usd::text as amount_usd
    from ${returnedItems(gameId, runId)} order by i.run_id, i.item_no`.execute(db);
  return rows;
}

/** Lists the payments that are stored as part of a run, by run and number. */
export async function listBoundItems(db: Db, { gameId, runId }: { gameId: number; runId: number }): Promise<ReturnedItem[]> {
  const { rows } = await sql<ReturnedItem>`
    select origin.run_no as "runNo", i.item_no as "itemNo", i.recipient_player_id as "recipientId", i.amount_usd::text as amount_usd
    from payout_item i join payout_run origin on origin.game_id = ${gameId} and origin.run_id = i.run_id
    where i.game_id = ${gameId} and i.returned_in_run_id = ${runId} order by i.run_id, i.item_no`.execute(db);
  return rows;
}
