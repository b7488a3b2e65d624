import type pg from 'pg';

/**
 * Finds, for refunds that landed, the stored slice that brought their reversal, and notes when it did. Sharebook writes no reversal: it
 * only says that Invo reported the one it expected. Answers how many were found.
 */
export async function matchReversals(pool: pg.Pool, gameId: number): Promise<number> {
  const { rowCount } = await pool.query(
    `update refund set reversal_slice_id = brought.slice_id, reversal_seen_at = clock_timestamp(), version = version + 1
     from (
       select distinct on (refund.refund_id) refund.refund_id, event.slice_id
       from refund join refund_event event on event.game_id = refund.game_id and event.period_id = refund.period_id
         and event.refunded_amount_usd = refund.amount_usd
         and case when refund.total_refunded_amount_usd is not null
             then event.cumulative_refunded_after_usd = refund.total_refunded_amount_usd
             else event.refunded_at between refund.first_sent_at - interval '15 minutes' and refund.ended_at + interval '15 minutes' end
       where refund.game_id = $1 and refund.state = 'landed' and refund.reversal_slice_id is null
       order by refund.refund_id, event.slice_id
     ) brought
     where refund.game_id = $1 and refund.refund_id = brought.refund_id`,
    [gameId],
  );
  return rowCount ?? 0;
}
