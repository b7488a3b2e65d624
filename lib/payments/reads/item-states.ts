import { type RawBuilder, sql } from 'kysely';
import type { ItemState } from '../rules/item-state.ts';
import { REPORTED_STATES } from '../rules/report-row.ts';

/** What reports state of the payment `i`, as a lateral source with `state` and `occurred_on`: the newest by the provider's date, among those of one day the stronger word. */
export const saidOf = (gameId: number): RawBuilder<unknown> => sql`(
  select c.state, c.occurred_on from payment_confirmation c where c.game_id = ${gameId} and c.run_id = i.run_id and c.item_no = i.item_no
  order by c.occurred_on desc nulls last, array_position(${[...REPORTED_STATES]}::text[], c.state) desc limit 1)`;

/**
 * The state of a payment `i`, derived from its facts. Of what reports state the newest by the provider's date decides, among those of one day the stronger word, as
 * `newestReported` does. Each fact is read by its key or once for all payments: joined, tables that aren't analyzed yet would be compared row by row.
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
