import type pg from 'pg';
import { inTransaction } from '#db/kit/open.ts';
import type { RefundEstimate } from '#lib/refunds/rules/estimate-refund.ts';
import type { RefundFacts } from '#lib/refunds/rules/period-facts.ts';
import type { RefundRequest } from '#lib/refunds/rules/refund-request.ts';
import { recordRefundAudit } from './refund-audit.ts';

export interface NewRefund {
  request: RefundRequest;
  facts: RefundFacts;
  estimate: RefundEstimate;
  draftId: string;
  actor: { id: string; email: string };
  /** Below the limit of who asks: approved by policy, and due at once. */
  isPolicyEnough: boolean;
}

/**
 * Stores an intent with its key, its bytes and its audit row. A draft stored before is answered with its refund; a period with an open
 * refund answers with that one and stores nothing.
 */
export async function insertRefund(
  pool: pg.Pool,
  gameId: number,
  refund: NewRefund,
): Promise<{ refundId: number; isNew: boolean } | { openRefundId: number }> {
  // The refund in the way may end between the two looks at it; then there is room, and the insert is tried again.
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const stored = await tryInsert(pool, gameId, refund);
    if (stored !== null) return stored;
  }
  throw new Error(`a refund of period ${refund.request.period_id} can neither be stored nor found, after ${TRIES_MAX} tries`);
}

const TRIES_MAX = 5;

type Stored = { refundId: number; isNew: boolean } | { openRefundId: number };

async function tryInsert(pool: pg.Pool, gameId: number, refund: NewRefund): Promise<Stored | null> {
  return inTransaction(pool, async (client): Promise<Stored | null> => {
    // One at a time for each period: who comes second finds the first, and no number is drawn for a refund that is not stored.
    await client.query(`select pg_advisory_xact_lock($1, hashtext('refund of period ' || $2::text))`, [gameId, refund.request.period_id]);
    const { rows } = await client.query<{ refund_id: number; draft_id: string }>(
      `select refund_id, draft_id from refund
       where game_id = $1 and ((draft_id = $2 and period_id = $3) or (subscription_id = $4 and period_seq = $5 and ended_at is null))
       order by (draft_id = $2) desc limit 1`,
      [gameId, refund.draftId, refund.request.period_id, refund.request.subscription_id, refund.request.period_seq],
    );
    const [there] = rows;
    if (there !== undefined)
      return there.draft_id === refund.draftId ? { refundId: there.refund_id, isNew: false } : { openRefundId: there.refund_id };
    const added = await insert(client, gameId, refund);
    if (added === null) return null;
    const { amount_usd, subscription_id, period_seq } = refund.request;
    const detail = { amount_usd, subscription_id, period_seq, approval: refund.isPolicyEnough ? 'policy' : null };
    await recordRefundAudit(client, { gameId, refundId: added }, refund.actor.email, 'asked for a refund', detail);
    return { refundId: added, isNew: true };
  });
}

async function insert(
  client: pg.ClientBase,
  gameId: number,
  { request, facts, estimate, draftId, actor, isPolicyEnough }: NewRefund,
): Promise<number | null> {
  const { rows } = await client.query<{ refund_id: number }>(
    `insert into refund (game_id, draft_id, client_request_id, request_bytes, request_digest, subscription_id, period_id, period_seq, amount_usd,
       reason_code, reason_text, facts, estimate, baseline_digest, content_digest, requested_by, owner_id,
       wants_second_person, state, approval, approved_at, approved_digest, next_look_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15::bytea, $16, $16,
       $17, $18, $19, case when $20::boolean then clock_timestamp() end, $21, case when $20::boolean then clock_timestamp() end)
     on conflict do nothing returning refund_id`,
    [
      gameId,
      draftId,
      request.client_request_id,
      request.request_bytes,
      request.request_digest,
      request.subscription_id,
      request.period_id,
      request.period_seq,
      request.amount_usd,
      request.reason_code,
      request.reason_text,
      JSON.stringify(facts),
      JSON.stringify(estimate),
      request.baseline_digest,
      request.content_digest,
      actor.id,
      !isPolicyEnough,
      isPolicyEnough ? 'approved' : 'awaiting_approval',
      isPolicyEnough ? 'policy' : null,
      isPolicyEnough,
      isPolicyEnough ? request.content_digest : null,
    ],
  );
  return rows[0]?.refund_id ?? null;
}
