import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { ItemState, ReturnedItem } from '../rules/item-state.ts';
import { BACK_STATES, REPORTED_STATES } from '../rules/reported-states.ts';

/** What reports state of the payment `i`, as a lateral source with `state` and `occurred_on`, as `newestReported` has it. The window finds the newest state that isn’t pending. */
export const saidOf = (gameId: number): RawBuilder<unknown> => sql`(
  select c.state, c.occurred_on from payment_confirmation c where c.game_id = ${gameId} and c.run_id = i.run_id and c.item_no = i.item_no
  window final as (order by c.state = 'pending', c.occurred_on desc nulls last, array_position(${[...REPORTED_STATES]}::text[], c.state) desc)
  order by c.state = 'pending' and first_value(c.state) over final in ('paid', 'returned'), c.occurred_on desc nulls last,
    array_position(${[...REPORTED_STATES]}::text[], c.state) desc limit 1)`;

/**
 * The state of a payment `i`, derived from its facts. Of what reports state `saidOf` decides. Each fact is read by its key or once for all payments: joined, tables that aren't analyzed yet would be compared row by row.
 */
export const derivedState = (gameId: number): RawBuilder<ItemState> => sql<ItemState>`(
  case when i.withdrawn_at is not null then 'withdrawn'
    when i.replaces_item_no is not null and i.confirmed_at is null then 'proposed'
    when i.returned_in_run_id is not null then 'to_balance'
    when i.batch_no in (select b.batch_no from payout_batch b where b.game_id = ${gameId} and b.cancelled_at is not null) then 'cancelled'
    when (i.run_id, i.item_no) in (select next.run_id, next.replaces_item_no from payout_item next where next.game_id = ${gameId}
      and next.replaces_item_no is not null and next.confirmed_at is not null) then 'reissued'
    when i.batch_no is null then 'waiting'
    else coalesce((select said.state from ${saidOf(gameId)} said),
      (select case when b.handed_over_at is null then 'in_file' when b.method = 'elsewhere' then 'paid' else 'sent' end from payout_batch b
        where b.game_id = ${gameId} and b.batch_no = i.batch_no)) end)`;

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
