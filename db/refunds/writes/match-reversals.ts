import type pg from 'pg';
import { inClientTransaction } from '#db/kit/client.ts';
import { REFUND_ACTIONS } from '#lib/refunds/rules/audit-actions.ts';
import { recordRefundAudit } from './refund-rows.ts';

/**
 * Finds the stored slice that reports the reversal of each landed refund, and records when it was seen. Sharebook never writes a reversal
 * itself. Returns how many were matched.
 */
export async function matchReversals(pool: pg.Pool, gameId: number): Promise<number> {
  const { rowCount } = await pool.query(
    `with reported as materialized (select refund_id, slice_id from refund_reported where game_id = $1 and state = 'landed')
     update refund set reversal_slice_id = reported.slice_id, reversal_seen_at = clock_now()
     from reported
     where refund.game_id = $1 and refund.refund_id = reported.refund_id and refund.state = 'landed'`,
    [gameId],
  );
  return rowCount ?? 0;
}

/**
 * Sets refunds that ended as refused or not refunded to need attention, once each, when a slice reports a refund like theirs after all. One
 * at a time per period: the next waits until that one has ended. Returns how many were flagged.
 */
export async function flagReported(pool: pg.Pool, gameId: number): Promise<number> {
  return inClientTransaction(pool, async (client) => {
    const { rows } = await client.query<{ refund_id: number; reversal_slice_id: number }>(
      `with reported as materialized (
         select distinct on (refund.subscription_id, refund.period_seq) refund_id, reported.slice_id
         from refund_reported reported join refund using (game_id, refund_id)
         where game_id = $1 and reported.state in ('not_landed', 'refused')
         order by refund.subscription_id, refund.period_seq, refund_id
       )
       update refund set state = 'attention', attention_reason = 'reported_after_all', proposal = 'landed',
         reversal_slice_id = reported.slice_id, reversal_seen_at = clock_now()
       from reported
       where refund.game_id = $1 and refund.refund_id = reported.refund_id and refund.state in ('not_landed', 'refused')
         and not exists (
           select from refund other
           where other.game_id = refund.game_id and other.subscription_id = refund.subscription_id and other.period_seq = refund.period_seq and other.ended_at is null
         )
       returning refund.refund_id, refund.reversal_slice_id`,
      [gameId],
    );
    for (const { refund_id: refundId, reversal_slice_id: slice } of rows)
      await recordRefundAudit(client, { gameId, refundId }, 'worker', REFUND_ACTIONS.needsAttention, {
        reason: 'reported_after_all',
        slice,
      });
    return rows.length;
  });
}
