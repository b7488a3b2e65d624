import type pg from 'pg';
import { inTransaction } from '#db/kit/open.ts';
import type { PeriodFacts } from '#lib/refunds/rules/period-facts.ts';
import type { RefundChange } from '#lib/refunds/rules/refund-ports.ts';
import { applyChange } from './apply-change.ts';
import { insertReading } from './record-reading.ts';
import { recordRefundAudit } from './refund-audit.ts';

export interface RefundDecision {
  gameId: number;
  refundId: number;
  actor: { id: string; email: string };
}

/**
 * Approves a refund exactly as it was shown: `contentDigest` is the hex digest of what the person saw. False when it changed since, was
 * decided already, or may not be approved by this person. `policy` is the requester confirming changed facts below the own limit.
 */
export async function recordApproval(
  pool: pg.Pool,
  decision: RefundDecision & { contentDigest: string; approval: 'person' | 'policy' },
): Promise<boolean> {
  const { approval, actor } = decision;
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `update refund set state = 'approved', approval = $4, approved_by = $5, approved_at = clock_timestamp(),
         approved_digest = content_digest, next_look_at = clock_timestamp(), last_error_code = null, last_error_id = null
       where game_id = $1 and refund_id = $2 and state = 'awaiting_approval' and encode(content_digest, 'hex') = $3
         and ($4 = 'policy' and requested_by = $6 or $4 = 'person' and requested_by <> $6)`,
      [decision.gameId, decision.refundId, decision.contentDigest, approval, approval === 'person' ? actor.id : null, actor.id],
    );
    if (rowCount === 1)
      await recordRefundAudit(client, decision, actor.email, 'approved a refund', { approval, content: decision.contentDigest });
    return rowCount === 1;
  });
}

/**
 * Gives a refund that waits for approval the facts that were read when somebody was about to approve it, and keeps the reading. `renewed` is
 * null when it can no longer be done: the old facts stay. Nothing happens when it changed or was decided meanwhile.
 */
export async function renewWaiting(
  pool: pg.Pool,
  { gameId, refundId, actor, contentDigest, period, renewed }: RefundDecision & { contentDigest: string } & Renewal,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ version: number }>(
      `select version from refund where game_id = $1 and refund_id = $2 and state = 'awaiting_approval' and encode(content_digest, 'hex') = $3 for update`,
      [gameId, refundId, contentDigest],
    );
    const [row] = rows;
    if (row === undefined) return;
    await insertReading(client, { gameId, refundId }, 'before', period);
    const change = { last_error_code: 'period_changed', ...(renewed === null ? {} : { renewed }) };
    await applyChange(client, { gameId, refundId, version: row.version }, change);
    await recordRefundAudit(client, { gameId, refundId }, actor.email, 'found other facts than were shown');
  });
}

interface Renewal {
  period: PeriodFacts;
  renewed: NonNullable<RefundChange['renewed']> | null;
}

/** Says no to a refund that waits for approval: rejected by another person, withdrawn by the one who asked. Null when it does not wait any more. */
export async function recordRefusal(pool: pg.Pool, decision: RefundDecision & { why: string }): Promise<'rejected' | 'withdrawn' | null> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ state: 'rejected' | 'withdrawn' }>(
      `update refund set state = case when requested_by = $3 then 'withdrawn' else 'rejected' end, next_look_at = null
       where game_id = $1 and refund_id = $2 and state = 'awaiting_approval' and unanswered_count = 0 returning state`,
      [decision.gameId, decision.refundId, decision.actor.id],
    );
    const [row] = rows;
    if (row)
      await recordRefundAudit(client, decision, decision.actor.email, `${row.state === 'rejected' ? 'rejected' : 'withdrew'} a refund`, {
        why: decision.why,
      });
    return row?.state ?? null;
  });
}

/** Takes back a refund that is approved and of which nothing was ever sent. False when an attempt has begun. */
export async function recordWithdrawal(pool: pg.Pool, decision: RefundDecision & { why: string }): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `update refund set state = 'withdrawn', next_look_at = null
       where game_id = $1 and refund_id = $2 and attempt_count = 0 and state = 'approved'`,
      [decision.gameId, decision.refundId],
    );
    if (rowCount === 1) await recordRefundAudit(client, decision, decision.actor.email, 'withdrew a refund', { why: decision.why });
    return rowCount === 1;
  });
}

/** Makes a person the one who sees a refund through; false when it has ended, or is theirs already. */
export async function recordOwner(pool: pg.Pool, decision: RefundDecision): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `update refund set owner_id = $3 where game_id = $1 and refund_id = $2 and owner_id <> $3 and ended_at is null`,
      [decision.gameId, decision.refundId, decision.actor.id],
    );
    if (rowCount === 1) await recordRefundAudit(client, decision, decision.actor.email, 'took a refund over');
    return rowCount === 1;
  });
}
