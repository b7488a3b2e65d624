import type { Db } from '#db/kit/open.ts';
import type { RefundEstimate } from '#lib/refunds/rules/estimate.ts';
import type { RefundFacts } from '#lib/refunds/rules/period.ts';
import type { RefundContent } from '#lib/refunds/rules/request.ts';
import { parseStoredEstimate, parseStoredFacts } from '#lib/refunds/rules/stored.ts';

/** A refund that waits for approval, with what was shown of it. */
export interface RefundToApprove {
  requested_by: string;
  period_id: number;
  amount_usd: string;
  facts: RefundFacts;
  estimate: RefundEstimate;
  /** Everything an approval covers, as stored. */
  content: RefundContent;
  /** It was above the limit of who asked, when it was asked for. */
  wants_second_person: boolean;
  /** Hex. */
  contentDigest: string;
}

/** A refund that waits for approval; null when there is none of that id, or it waits no more. */
export async function findRefundToApprove(db: Db, gameId: number, refundId: number): Promise<RefundToApprove | null> {
  const found = await db
    .selectFrom('refund')
    .innerJoin('game', 'game.game_id', 'refund.game_id')
    .selectAll('refund')
    .select('game.environment')
    .where('refund.game_id', '=', gameId)
    .where('refund_id', '=', refundId)
    .where('state', '=', 'awaiting_approval')
    .executeTakeFirst();
  if (found === undefined) return null;
  const { requested_by, period_id, amount_usd, wants_second_person } = found;
  return {
    requested_by,
    period_id,
    amount_usd,
    wants_second_person,
    facts: parseStoredFacts(found.facts),
    estimate: parseStoredEstimate(found.estimate),
    content: found,
    contentDigest: found.content_digest.toString('hex'),
  };
}
