import type pg from 'pg';
import { inClientTransaction } from '#db/kit/client.ts';
import { writeLiteral } from '#db/kit/copy-csv.ts';
import { accountStatus, mayApproveNow, mayNow, mayPrepareNow } from '#db/people/rights-now.ts';
import { withinLimits } from '#db/refunds/limits.ts';
import { type AccountRefusal, type AccountStatus, accountRefusalOf } from '#lib/approvals/rules/approval.ts';
import { REFUND_ACTIONS } from '#lib/refunds/rules/audit-actions.ts';
import { type RefundEstimate } from '#lib/refunds/rules/estimate.ts';
import { dayAmountOf, limitedAmountOf } from '#lib/refunds/rules/limits.ts';
import { type PeriodFacts, type RefundFacts } from '#lib/refunds/rules/period.ts';
import { type RefundChange } from '#lib/refunds/rules/ports.ts';
import { type RefundRequest } from '#lib/refunds/rules/request.ts';
import { insertReading } from './refund-decisions.ts';
import { applyChange, type RefundDecision, recordRefundAudit } from './refund-rows.ts';

export interface NewRefund {
  request: RefundRequest;
  facts: RefundFacts;
  estimate: RefundEstimate;
  draftId: string;
  actor: { id: string; email: string };
  /** Within the requester's limit: approved by policy and due at once. */
  isPolicyEnough: boolean;
}

/**
 * Stores a refund request with its key, its bytes and its audit row. A draft that is stored already returns its refund. A period with an
 * open refund returns that one and stores nothing. Role, being enabled and limits are conditions of the statement that stores it: a person
 * who lost the right stores nothing, and a refund beyond the limits waits for a second person.
 */
export async function insertRefund(
  pool: pg.Pool,
  gameId: number,
  refund: NewRefund,
): Promise<{ refundId: number; isNew: boolean } | { openRefundId: number } | 'not_allowed' | AccountRefusal> {
  // The other refund may end between the conflict and the lookup; then the insert is tried again.
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const stored = await tryInsert(pool, gameId, refund);
    if (stored !== null) return stored;
    const now = await tryInsert(pool, gameId, { ...refund, isPolicyEnough: false });
    if (now !== null) return now;
  }
  throw new Error(`a refund of period ${refund.request.period_id} can neither be stored nor found, after ${TRIES_MAX} tries`);
}

const TRIES_MAX = 5;

type Stored = { refundId: number; isNew: boolean } | { openRefundId: number } | 'not_allowed' | AccountRefusal;

async function tryInsert(pool: pg.Pool, gameId: number, refund: NewRefund): Promise<Stored | null> {
  return inClientTransaction(pool, async (client): Promise<Stored | null> => {
    // One at a time per period: the second finds the first, and no id is drawn for a refund that is not stored.
    await client.query(`select pg_advisory_xact_lock($1, hashtext('refund of period ' || $2::text))`, [gameId, refund.request.period_id]);
    // One at a time per person: each counts what the one before stored towards the limit of 24 hours.
    const { rows: people } = await client.query<{ status: AccountStatus }>(
      `select ${writeLiteral(accountStatus('person'))} as status from person where id = $1 and ${writeLiteral(mayNow('person', 'refunds.request'))} for no key update`,
      [refund.actor.id],
    );
    const [person] = people;
    if (person === undefined) return 'not_allowed';
    const { rows } = await client.query<{ refund_id: number; draft_id: string }>(
      `select refund_id, draft_id from refund
       where game_id = $1 and ((draft_id = $2 and period_id = $3) or (subscription_id = $4 and period_seq = $5 and ended_at is null))
       order by (draft_id = $2) desc limit 1`,
      [gameId, refund.draftId, refund.request.period_id, refund.request.subscription_id, refund.request.period_seq],
    );
    const [there] = rows;
    if (there !== undefined)
      return there.draft_id === refund.draftId ? { refundId: there.refund_id, isNew: false } : { openRefundId: there.refund_id };
    // What needs a second person counts as the act of the first. Within the limits an account that nobody confirmed refunds nothing either: one admin could add many.
    const refusal = refund.isPolicyEnough && person.status !== 'unconfirmed' ? null : accountRefusalOf(person.status);
    if (refusal !== null) return refusal;
    const added = await insert(client, gameId, refund);
    if (added === null) return null;
    const { amount_usd, subscription_id, period_seq } = refund.request;
    const detail = { amount_usd, subscription_id, period_seq, approval: refund.isPolicyEnough ? 'policy' : null };
    await recordRefundAudit(client, { gameId, refundId: added }, refund.actor.email, REFUND_ACTIONS.requested, detail);
    return { refundId: added, isNew: true };
  });
}

const WITHIN_LIMITS = withinLimits({
  gameId: '$1::int',
  person: 'person',
  amount_usd: '$22::numeric',
  day_usd: '$23::numeric',
  refundId: 'null',
});

async function insert(
  client: pg.ClientBase,
  gameId: number,
  { request, facts, estimate, draftId, actor, isPolicyEnough }: NewRefund,
): Promise<number | null> {
  const { rows } = await client.query<{ refund_id: number }>(
    `insert into refund (game_id, draft_id, client_request_id, request_bytes, request_digest, subscription_id, period_id, period_seq, amount_usd,
       reason_code, reason_text, facts, estimate, baseline_digest, content_digest, requested_by, assignee_id,
       needs_second_approver, state, approval, approved_at, approved_digest, next_look_at)
     select $1::int, $2::uuid, $3, $4::bytea, $5::bytea, $6, $7::bigint, $8::bigint, $9::usd, $10, $11, $12::jsonb, $13::jsonb, $14::bytea, $15::bytea, person.id, person.id,
       $17::boolean, $18, $19, case when $20::boolean then clock_now() end, $21::bytea, case when $20::boolean then clock_now() end
     from person where person.id = $16 and ${writeLiteral(mayNow('person', 'refunds.request'))} and (not $20::boolean or ${WITHIN_LIMITS})
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
      limitedAmountOf(estimate),
      dayAmountOf(estimate),
    ],
  );
  return rows[0]?.refund_id ?? null;
}

const AMOUNT = (key: string): string => `(refund.estimate ->> '${key}')::numeric`;
const CONFIRMED_WITHIN_LIMITS = withinLimits({
  gameId: 'refund.game_id',
  person: 'decider',
  amount_usd: `greatest(${AMOUNT('total_refunded_amount_usd')}, ${AMOUNT('card_refunded_usd')})`,
  day_usd: `greatest(${AMOUNT('refunded_amount_usd')}, ${AMOUNT('card_refunded_usd')})`,
  refundId: 'refund.refund_id',
});

/**
 * Approves a refund exactly as shown: `contentDigest` is the hex digest of what the person saw. False when it has changed, is decided
 * already, or this person may not approve it, by what is stored now. `policy`: the requester confirms changed facts within their own limits.
 */
export async function recordApproval(
  pool: pg.Pool,
  decision: RefundDecision & { contentDigest: string; approval: 'person' | 'policy' },
): Promise<boolean> {
  const { approval, actor } = decision;
  return inClientTransaction(pool, async (client) => {
    // As with a request: what counts towards the limit of 24 hours is decided one at a time.
    await client.query(`select 1 from person where id = $1 for no key update`, [actor.id]);
    const { rowCount } = await client.query(
      `update refund set state = 'approved', approval = $4, approved_by = $5, approved_at = clock_now(),
         approved_digest = content_digest, next_look_at = clock_now(), last_error_code = null, last_error_id = null
       from person decider, person requester
       where refund.game_id = $1 and refund_id = $2 and state = 'awaiting_approval' and encode(content_digest, 'hex') = $3
         and decider.id = $6 and requester.id = refund.requested_by
         and ($4 = 'policy' and requester.id = decider.id and not needs_second_approver and ${writeLiteral(mayNow('decider', 'refunds.request'))} and decider.account_confirmed_at is not null and ${CONFIRMED_WITHIN_LIMITS}
           or $4 = 'person' and ${writeLiteral(mayApproveNow('decider', 'requester', 'refunds.approve'))})`,
      [decision.gameId, decision.refundId, decision.contentDigest, approval, approval === 'person' ? actor.id : null, actor.id],
    );
    if (rowCount === 1)
      await recordRefundAudit(client, decision, actor.email, REFUND_ACTIONS.approved, { approval, content: decision.contentDigest });
    return rowCount === 1;
  });
}

/**
 * Updates a refund that awaits approval with the facts read for an approval, and stores the reading. `renewed` is null when the refund is
 * no longer possible: the earlier facts stay. Does nothing when the refund has changed or moved on.
 */
export async function refreshWaiting(
  pool: pg.Pool,
  { gameId, refundId, actor, contentDigest, period, renewed }: RefundDecision & { contentDigest: string } & Renewal,
): Promise<void> {
  await inClientTransaction(pool, async (client) => {
    const { rows } = await client.query<{ version: number }>(
      `select version from refund where game_id = $1 and refund_id = $2 and state = 'awaiting_approval' and encode(content_digest, 'hex') = $3 for update`,
      [gameId, refundId, contentDigest],
    );
    const [row] = rows;
    if (row === undefined) return;
    await insertReading(client, { gameId, refundId }, 'before', period);
    const change = { last_error_code: 'period_changed', ...(renewed === null ? {} : { renewed }) };
    await applyChange(client, { gameId, refundId, version: row.version }, change);
    await recordRefundAudit(client, { gameId, refundId }, actor.email, REFUND_ACTIONS.refreshed);
  });
}

interface Renewal {
  period: PeriodFacts;
  renewed: NonNullable<RefundChange['renewed']> | null;
}

/** Ends a refund that awaits approval: its requester withdraws it, a person who may approve and whose account counts rejects it. Null when it has moved on, or they may not. */
export async function recordDecline(pool: pg.Pool, decision: RefundDecision & { why: string }): Promise<'rejected' | 'withdrawn' | null> {
  return inClientTransaction(pool, async (client) => {
    const { rows } = await client.query<{ state: 'rejected' | 'withdrawn' }>(
      `update refund set state = case when requested_by = $3 then 'withdrawn' else 'rejected' end, next_look_at = null
       where game_id = $1 and refund_id = $2 and state = 'awaiting_approval' and unanswered_count = 0
         and (requested_by = $3 or exists (select from person where person.id = $3 and ${writeLiteral(mayPrepareNow('person', 'refunds.approve'))})) returning state`,
      [decision.gameId, decision.refundId, decision.actor.id],
    );
    const [row] = rows;
    if (row)
      await recordRefundAudit(
        client,
        decision,
        decision.actor.email,
        row.state === 'rejected' ? REFUND_ACTIONS.rejected : REFUND_ACTIONS.withdrew,
        {
          why: decision.why,
        },
      );
    return row?.state ?? null;
  });
}

/** Withdraws an approved refund that was never sent, by its requester or a person whose account counts. False when an attempt was made, or they may not. */
export async function recordWithdrawal(pool: pg.Pool, decision: RefundDecision & { why: string }): Promise<boolean> {
  return inClientTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `update refund set state = 'withdrawn', next_look_at = null
       where game_id = $1 and refund_id = $2 and attempt_count = 0 and state = 'approved'
         and exists (select from person where person.id = $3 and (${writeLiteral(mayPrepareNow('person', 'refunds.request'))} or ${writeLiteral(mayNow('person', 'refunds.request'))} and requested_by = $3))`,
      [decision.gameId, decision.refundId, decision.actor.id],
    );
    if (rowCount === 1) await recordRefundAudit(client, decision, decision.actor.email, REFUND_ACTIONS.withdrew, { why: decision.why });
    return rowCount === 1;
  });
}

/** Makes a person the assignee of a refund; false when it has ended, or is theirs already. */
export async function recordAssignee(pool: pg.Pool, decision: RefundDecision): Promise<boolean> {
  return inClientTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `update refund set assignee_id = $3 where game_id = $1 and refund_id = $2 and assignee_id <> $3 and ended_at is null`,
      [decision.gameId, decision.refundId, decision.actor.id],
    );
    if (rowCount === 1) await recordRefundAudit(client, decision, decision.actor.email, REFUND_ACTIONS.assigned);
    return rowCount === 1;
  });
}
