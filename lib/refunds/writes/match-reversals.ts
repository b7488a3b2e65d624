import { sql } from 'kysely';
import { countChanges, type Db, inTransaction } from '#db/kit/open.ts';
import { reportedRefunds } from '../reads/reported-refunds.ts';
import { REFUND_ACTIONS } from '../rules/audit-actions.ts';
import { recordRefundAudit } from './refund-rows.ts';

/**
 * Finds the stored slice that reports the reversal of each landed refund, and records when it was seen. Sharebook never writes a reversal
 * itself. Returns how many were matched.
 */
export async function matchReversals(db: Db, gameId: number): Promise<number> {
  const rowCount = await countChanges(
    db,
    sql`with reported as materialized (select refund_id, slice_id from ${reportedRefunds(gameId)} reported where state = 'landed')
     update refund set reversal_slice_id = reported.slice_id, reversal_seen_at = clock_now()
     from reported
     where refund.game_id = ${gameId} and refund.refund_id = reported.refund_id and refund.state = 'landed'`,
  );
  return rowCount ?? 0;
}

/**
 * Sets refunds that ended as refused or not refunded to need attention, once each, when a slice reports a refund like theirs after all. One
 * at a time per period: the next waits until that one has ended. Returns how many were flagged.
 */
export async function flagReported(db: Db, gameId: number): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ refund_id: number; reversal_slice_id: number }>`with reported as materialized (
         select distinct on (refund.subscription_id, refund.period_seq) refund.refund_id, reported.slice_id
         from ${reportedRefunds(gameId)} reported join refund on refund.game_id = ${gameId} and refund.refund_id = reported.refund_id
         where reported.state in ('not_landed', 'refused')
         order by refund.subscription_id, refund.period_seq, refund.refund_id
       )
       update refund set state = 'attention', attention_reason = 'reported_after_all', proposal = 'landed',
         reversal_slice_id = reported.slice_id, reversal_seen_at = clock_now()
       from reported
       where refund.game_id = ${gameId} and refund.refund_id = reported.refund_id and refund.state in ('not_landed', 'refused')
         and not exists (
           select from refund other
           where other.game_id = ${gameId} and other.subscription_id = refund.subscription_id and other.period_seq = refund.period_seq and other.ended_at is null
         )
       returning refund.refund_id, refund.reversal_slice_id`.execute(tx);
    for (const { refund_id: refundId, reversal_slice_id: slice } of rows)
      await recordRefundAudit(tx, { gameId, refundId }, 'worker', REFUND_ACTIONS.needsAttention, { reason: 'reported_after_all', slice });
    return rows.length;
  });
}
