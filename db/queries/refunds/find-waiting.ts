import type { RefundEstimate } from '../../../lib/domain/refund/estimate-refund.ts';
import type { Db } from '../../open.ts';

/** A refund that waits for approval; null when there is none of that id, or it waits no more. */
export async function findWaiting(
  db: Db,
  gameId: number,
  refundId: number,
): Promise<{ requested_by: string; estimate: RefundEstimate; wasApproved: boolean } | null> {
  const found = await db
    .selectFrom('refund')
    .select(['requested_by', 'estimate', 'last_error_code'])
    .where('game_id', '=', gameId)
    .where('refund_id', '=', refundId)
    .where('state', '=', 'awaiting_approval')
    .executeTakeFirst();
  if (found === undefined) return null;
  const { requested_by, estimate, last_error_code } = found;
  // An approval that was voided leaves its reason; one that never was leaves none.
  return { requested_by, estimate: estimate as RefundEstimate, wasApproved: last_error_code !== null };
}
