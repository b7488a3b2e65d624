import type { Db } from '#db/kit/open.ts';
import { ENDED_STATES, type RefundState, stateOf } from '#lib/refunds/rules/state.ts';

/** A refund that holds its period: no second one of it can be asked for. */
export interface OpenRefund {
  refundId: number;
  state: RefundState;
  amount_usd: string;
  requestedAt: string;
  requestedByName: string;
}

/** The refund of a period that has not ended; null when there is none. */
export async function findOpenRefund(db: Db, gameId: number, periodId: number): Promise<OpenRefund | null> {
  const row = await db
    .selectFrom('refund')
    .innerJoin('person', 'person.id', 'refund.requested_by')
    .where('refund.game_id', '=', gameId)
    .where('refund.period_id', '=', periodId)
    .where('refund.state', 'not in', [...ENDED_STATES])
    .orderBy('refund.refund_id', 'desc')
    .select(['refund.refund_id', 'refund.state', 'refund.amount_usd', 'refund.requested_at', 'person.name'])
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    refundId: row.refund_id,
    state: stateOf(row.state),
    amount_usd: row.amount_usd,
    requestedAt: row.requested_at,
    requestedByName: row.name,
  };
}
