import type { RefundEstimate } from '../../../lib/domain/refund/estimate-refund.ts';
import type { Db } from '../../open.ts';

/** A refund that waits for approval; null when there is none of that id, or it waits no more. */
export async function findWaiting(
  db: Db,
  gameId: number,
  refundId: number,
): Promise<{ requested_by: string; estimate: RefundEstimate; wantsSecondPerson: boolean } | null> {
  const found = await db
    .selectFrom('refund')
    .select(['requested_by', 'estimate', 'wants_second_person'])
    .where('game_id', '=', gameId)
    .where('refund_id', '=', refundId)
    .where('state', '=', 'awaiting_approval')
    .executeTakeFirst();
  if (found === undefined) return null;
  const { requested_by, estimate, wants_second_person } = found;
  return { requested_by, estimate: estimate as RefundEstimate, wantsSecondPerson: wants_second_person };
}
