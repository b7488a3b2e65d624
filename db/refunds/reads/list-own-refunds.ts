import type { Db } from '#db/kit/open.ts';
import { type RefundState, stateOf } from '#lib/refunds/rules/state.ts';

/** Refunds shown beside a page. */
export const OWN_REFUNDS_MAX = 50;

/** A refund asked for in this Sharebook, as other pages show it. */
export interface OwnRefund {
  refundId: number;
  subscriptionId: string;
  periodId: number;
  periodSeq: number;
  amount_usd: string;
  state: RefundState;
  requestedAt: string;
}

/**
 * The refunds people asked for here on one period, or on any of some subscriptions; newest first. At most `OWN_REFUNDS_MAX`, and one more
 * where there are more than these.
 */
export async function listOwnRefunds(
  db: Db,
  gameId: number,
  about: { periodId: number } | { subscriptionIds: string[] },
): Promise<OwnRefund[]> {
  if ('subscriptionIds' in about && about.subscriptionIds.length === 0) return [];
  const rows = await db
    .selectFrom('refund')
    .where('game_id', '=', gameId)
    .$if('periodId' in about, (query) => query.where('period_id', '=', 'periodId' in about ? about.periodId : -1))
    .$if('subscriptionIds' in about, (query) =>
      query.where('subscription_id', 'in', 'subscriptionIds' in about ? about.subscriptionIds : []),
    )
    .orderBy('refund_id', 'desc')
    .limit(OWN_REFUNDS_MAX + 1)
    .select([
      'refund_id as refundId',
      'subscription_id as subscriptionId',
      'period_id as periodId',
      'period_seq as periodSeq',
      'amount_usd',
      'state',
      'requested_at as requestedAt',
    ])
    .execute();
  return rows.map((row) => ({ ...row, state: stateOf(row.state) }));
}
