import type { Db } from '#db/kit/open.ts';
import type { RefundEstimate } from '#lib/refunds/rules/estimate-refund.ts';
import type { RefundFacts } from '#lib/refunds/rules/period-facts.ts';

/** A refund that waits for approval, with what was shown of it. */
export interface RefundToApprove {
  requested_by: string;
  period_id: number;
  amount_usd: string;
  facts: RefundFacts;
  estimate: RefundEstimate;
  /** It was above the limit of who asked, when it was asked for. */
  wants_second_person: boolean;
  /** Hex. */
  contentDigest: string;
}

/** A refund that waits for approval; null when there is none of that id, or it waits no more. */
export async function findRefundToApprove(db: Db, gameId: number, refundId: number): Promise<RefundToApprove | null> {
  const found = await db
    .selectFrom('refund')
    .select(['requested_by', 'period_id', 'amount_usd', 'facts', 'estimate', 'wants_second_person', 'content_digest'])
    .where('game_id', '=', gameId)
    .where('refund_id', '=', refundId)
    .where('state', '=', 'awaiting_approval')
    .executeTakeFirst();
  if (found === undefined) return null;
  const { facts, estimate, content_digest, ...waiting } = found;
  return {
    ...waiting,
    facts: facts as RefundFacts,
    estimate: estimate as RefundEstimate,
    contentDigest: content_digest.toString('hex'),
  };
}
