import { type RawBuilder, sql } from 'kysely';
import { countChanges, type Db, inTransaction } from '#db/kit/open.ts';
import { wakeWorker } from '#db/kit/wake.ts';
import { accountStatus, mayActAloneNow, mayApproveNow, mayNow, mayPrepareNow, withinLimits } from '#lib/approvals/reads.ts';
import { type AccountRefusal, type AccountStatus, accountRefusalOf, aloneRefusalOf } from '#lib/approvals/rules/approval.ts';
import { approvedWithin24Hours } from '../reads/refund-preconditions.ts';
import { REFUND_ACTIONS } from '../rules/audit-actions.ts';
import { limitedAmountsOf } from '../rules/limits.ts';
import type { RefundChange } from '../rules/ports.ts';
import type { PreparedRequest } from '../rules/refund.ts';
import type { PeriodFacts, RefundEstimate, RefundFacts } from '../rules/stored.ts';
import { insertReading } from './refund-decisions.ts';
import { applyChange, type RefundDecision, recordRefundAudit } from './refund-rows.ts';

export interface NewRefund {
  request: PreparedRequest;
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
  db: Db,
  gameId: number,
  refund: NewRefund,
): Promise<{ refundId: number; isNew: boolean } | { openRefundId: number } | 'not_allowed' | AccountRefusal> {
  // The other refund may end between the conflict and the lookup; then the insert is tried again.
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const stored = await tryInsert(db, gameId, refund);
    if (stored !== null) return stored;
    const now = await tryInsert(db, gameId, { ...refund, isPolicyEnough: false });
    if (now !== null) return now;
  }
  throw new Error(`a refund of period ${refund.request.period_id} can neither be stored nor found, after ${TRIES_MAX} tries`);
}

const TRIES_MAX = 5;

type Stored = { refundId: number; isNew: boolean } | { openRefundId: number } | 'not_allowed' | AccountRefusal;

async function tryInsert(db: Db, gameId: number, refund: NewRefund): Promise<Stored | null> {
  return inTransaction(db, async (tx): Promise<Stored | null> => {
    // One at a time per period: the second finds the first, and no id is drawn for a refund that is not stored.
    await sql`select pg_advisory_xact_lock(${gameId}, hashtext('refund of period ' || ${refund.request.period_id}::text))`.execute(tx);
    // One at a time per person: each counts what the one before stored towards the limit of 24 hours.
    const { rows: people } = await sql<{
      status: AccountStatus;
    }>`select ${accountStatus('person')} as status from person where id = ${refund.actor.id} and ${mayNow('person', 'refunds.request')} for no key update`.execute(
      tx,
    );
    const [person] = people;
    if (person === undefined) return 'not_allowed';
    const { rows } = await sql<{ refund_id: number; draft_id: string }>`select refund_id, draft_id from refund
       where game_id = ${gameId} and ((draft_id = ${refund.draftId} and period_id = ${refund.request.period_id}) or (subscription_id = ${refund.request.subscription_id} and period_seq = ${refund.request.period_seq} and ended_at is null))
       order by (draft_id = ${refund.draftId}) desc limit 1`.execute(tx);
    const [there] = rows;
    if (there !== undefined)
      return there.draft_id === refund.draftId ? { refundId: there.refund_id, isNew: false } : { openRefundId: there.refund_id };
    // What needs a second person counts as the act of the first.
    const refusal = refund.isPolicyEnough ? aloneRefusalOf(person.status) : accountRefusalOf(person.status);
    if (refusal !== null) return refusal;
    const added = await insert(tx, gameId, refund);
    if (added === null) return null;
    const { amount_usd, subscription_id, period_seq } = refund.request;
    const detail = { amount_usd, subscription_id, period_seq, approval: refund.isPolicyEnough ? 'policy' : null };
    await recordRefundAudit(tx, { gameId, refundId: added }, refund.actor.email, REFUND_ACTIONS.requested, detail);
    if (refund.isPolicyEnough) await wakeWorker(tx, { queue: 'refund', gameId, id: added });
    return { refundId: added, isNew: true };
  });
}

async function insert(
  tx: Db,
  gameId: number,
  { request, facts, estimate, draftId, actor, isPolicyEnough }: NewRefund,
): Promise<number | null> {
  const amounts = limitedAmountsOf(estimate);
  const approvedAt = isPolicyEnough ? sql`clock_now()` : sql`null`;
  // The person is locked, so what counts towards their limits stays as it is.
  const isWithin = withinLimits({
    what: 'refunds',
    gameId,
    person: 'person',
    amounts: { one: sql`${amounts.one}::numeric`, day: sql`${amounts.day}::numeric` },
    dayBefore: approvedWithin24Hours(gameId, sql`${actor.id}`, sql`null`),
  });
  const { rows: allowed } = await sql`select from person
    where person.id = ${actor.id} and ${mayNow('person', 'refunds.request')} and (not ${isPolicyEnough}::boolean or ${isWithin})`.execute(
    tx,
  );
  if (allowed.length === 0) return null;
  const { rows } = await sql<{
    refund_id: number;
  }>`insert into refund (game_id, draft_id, client_request_id, request_bytes, request_digest, subscription_id, period_id, period_seq, amount_usd,
       reason_code, reason_text, facts, estimate, baseline_digest, content_digest, requested_by, assignee_id,
       needs_second_approver, state, approval, approved_at, approved_digest, next_look_at)
     values (${gameId}, ${draftId}, ${request.client_request_id}, ${request.request_bytes}, ${request.request_digest}, ${request.subscription_id}, ${request.period_id}, ${request.period_seq}, ${request.amount_usd}, ${request.reason_code}, ${request.reason_text}, ${JSON.stringify(facts)}, ${JSON.stringify(estimate)}, ${request.baseline_digest}, ${request.content_digest}, ${actor.id}, ${actor.id},
       ${!isPolicyEnough}, ${isPolicyEnough ? 'approved' : 'awaiting_approval'}, ${isPolicyEnough ? 'policy' : null}, ${approvedAt}, ${isPolicyEnough ? request.content_digest : null}, ${approvedAt})
     on conflict do nothing returning refund_id`.execute(tx);
  return rows[0]?.refund_id ?? null;
}

const AMOUNT = (key: string): RawBuilder<string> => sql`(refund.estimate ->> ${sql.lit(key)})::numeric`;

/** Whether a refund that awaits approval is within the limits of who confirms it. */
function isConfirmedWithinLimits(gameId: number): RawBuilder<boolean> {
  return withinLimits({
    what: 'refunds',
    gameId,
    person: 'decider',
    amounts: {
      one: sql`greatest(${AMOUNT('total_refunded_amount_usd')}, ${AMOUNT('card_refunded_usd')})`,
      day: sql`greatest(${AMOUNT('refunded_amount_usd')}, ${AMOUNT('card_refunded_usd')})`,
    },
    dayBefore: approvedWithin24Hours(gameId, sql.ref('decider.id'), sql.ref('refund.refund_id')),
  });
}

/**
 * Approves a refund exactly as shown: `contentDigest` is the hex digest of what the person saw. False when it has changed, is decided
 * already, or this person may not approve it, by what is stored now. `policy`: the requester confirms changed facts within their own limits.
 */
export async function recordApproval(
  db: Db,
  decision: RefundDecision & { contentDigest: string; approval: 'person' | 'policy' },
): Promise<boolean> {
  const { approval, actor } = decision;
  return inTransaction(db, async (tx) => {
    // As with a request: what counts towards the limit of 24 hours is decided one at a time.
    await sql`select 1 from person where id = ${actor.id} for no key update`.execute(tx);
    const rowCount = await countChanges(
      tx,
      sql`update refund set state = 'approved', approval = ${approval}, approved_by = ${approval === 'person' ? actor.id : null}, approved_at = clock_now(),
         approved_digest = content_digest, next_look_at = clock_now(), last_error_code = null, last_error_id = null
       from person decider, person requester
       where refund.game_id = ${decision.gameId} and refund_id = ${decision.refundId} and state = 'awaiting_approval' and encode(content_digest, 'hex') = ${decision.contentDigest}
         and decider.id = ${actor.id} and requester.id = refund.requested_by
         and (${approval} = 'policy' and requester.id = decider.id and not needs_second_approver and ${mayActAloneNow('decider', 'refunds.request')} and ${isConfirmedWithinLimits(decision.gameId)}
           or ${approval} = 'person' and ${mayApproveNow('decider', 'requester', 'refunds.approve')})`,
    );
    if (rowCount !== 1) return false;
    await recordRefundAudit(tx, decision, actor.email, REFUND_ACTIONS.approved, { approval, content: decision.contentDigest });
    await wakeWorker(tx, { queue: 'refund', gameId: decision.gameId, id: decision.refundId });
    return true;
  });
}

/**
 * Updates a refund that awaits approval with the facts read for an approval, and stores the reading. `renewed` is null when the refund is
 * no longer possible: the earlier facts stay. Does nothing when the refund has changed or moved on.
 */
export async function refreshWaiting(
  db: Db,
  { gameId, refundId, actor, contentDigest, period, renewed }: RefundDecision & { contentDigest: string } & Renewal,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { rows } = await sql<{
      version: number;
    }>`select version from refund where game_id = ${gameId} and refund_id = ${refundId} and state = 'awaiting_approval' and encode(content_digest, 'hex') = ${contentDigest} for update`.execute(
      tx,
    );
    const [row] = rows;
    if (row === undefined) return;
    await insertReading(tx, { gameId, refundId }, 'before', period);
    const change = { last_error_code: 'period_changed', ...(renewed === null ? {} : { renewed }) };
    await applyChange(tx, { gameId, refundId, version: row.version }, change);
    await recordRefundAudit(tx, { gameId, refundId }, actor.email, REFUND_ACTIONS.refreshed);
  });
}

interface Renewal {
  period: PeriodFacts;
  renewed: NonNullable<RefundChange['renewed']> | null;
}

/** Ends a refund that awaits approval: its requester withdraws it, a person who may approve and whose account counts rejects it. Null when it has moved on, or they may not. */
export async function recordDecline(db: Db, decision: RefundDecision & { why: string }): Promise<'rejected' | 'withdrawn' | null> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{
      state: 'rejected' | 'withdrawn';
    }>`update refund set state = case when requested_by = ${decision.actor.id} then 'withdrawn' else 'rejected' end, next_look_at = null
       where game_id = ${decision.gameId} and refund_id = ${decision.refundId} and state = 'awaiting_approval' and unanswered_count = 0
         and (requested_by = ${decision.actor.id} or exists (select from person where person.id = ${decision.actor.id} and ${mayPrepareNow('person', 'refunds.approve')})) returning state`.execute(
      tx,
    );
    const [row] = rows;
    if (row)
      await recordRefundAudit(
        tx,
        decision,
        decision.actor.email,
        row.state === 'rejected' ? REFUND_ACTIONS.rejected : REFUND_ACTIONS.withdrew,
        { why: decision.why },
      );
    return row?.state ?? null;
  });
}

/** Withdraws an approved refund that was never sent, by its requester or a person whose account counts. False when an attempt was made, or they may not. */
export async function recordWithdrawal(db: Db, decision: RefundDecision & { why: string }): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const rowCount = await countChanges(
      tx,
      sql`update refund set state = 'withdrawn', next_look_at = null
       where game_id = ${decision.gameId} and refund_id = ${decision.refundId} and attempt_count = 0 and state = 'approved'
         and exists (select from person where person.id = ${decision.actor.id} and (${mayPrepareNow('person', 'refunds.request')} or ${mayNow('person', 'refunds.request')} and requested_by = ${decision.actor.id}))`,
    );
    if (rowCount === 1) await recordRefundAudit(tx, decision, decision.actor.email, REFUND_ACTIONS.withdrew, { why: decision.why });
    return rowCount === 1;
  });
}

/** Makes a person the assignee of a refund; false when it has ended, or is theirs already. */
export async function recordAssignee(db: Db, decision: RefundDecision): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const rowCount = await countChanges(
      tx,
      sql`update refund set assignee_id = ${decision.actor.id} where game_id = ${decision.gameId} and refund_id = ${decision.refundId} and assignee_id <> ${decision.actor.id} and ended_at is null`,
    );
    if (rowCount === 1) await recordRefundAudit(tx, decision, decision.actor.email, REFUND_ACTIONS.assigned);
    return rowCount === 1;
  });
}
