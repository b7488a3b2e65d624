import { type RawBuilder, sql } from 'kysely';
import type { ItemState } from '../rules/item-state.ts';
import { saidOf } from './returned-items.ts';

/**
 * The state of each payment of a run, derived from its facts, as rows of `item_no` and `state`. Of what reports state the newest by the provider's date decides, among
 * those of one day the stronger word, as `newestReported` does.
 */
export const deriveStates = (gameId: number, runId: number): RawBuilder<{ item_no: number; state: ItemState }> => sql`
  select i.item_no, case
      when i.withdrawn_at is not null then 'withdrawn'
      when i.replaces_item_no is not null and i.confirmed_at is null then 'proposed'
      when i.returned_in_run_id is not null then 'to_balance'
      when b.cancelled_at is not null then 'cancelled'
      when next.item_no is not null then 'reissued'
      when i.batch_no is null then 'waiting'
      when said.state is not null then said.state
      when b.handed_over_at is null then 'in_file'
      when b.method = 'elsewhere' then 'paid'
      else 'sent' end as state
  from payout_item i
    left join payout_batch b on b.game_id = ${gameId} and b.batch_no = i.batch_no
    left join payout_item next on next.game_id = ${gameId} and next.run_id = i.run_id and next.replaces_item_no = i.item_no and next.confirmed_at is not null
    left join lateral ${saidOf(gameId)} said on true
  where i.game_id = ${gameId} and i.run_id = ${runId}`;
