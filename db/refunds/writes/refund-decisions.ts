import type pg from 'pg';
import { inClientTransaction } from '#db/kit/client.ts';
import { writeLiteral } from '#db/kit/copy-csv.ts';
import { mayApproveNow, mayPrepareNow } from '#db/people/rights-now.ts';
import { isSecondPerson } from '#lib/approvals/rules/approval.ts';
import { REFUND_ACTIONS } from '#lib/refunds/rules/audit-actions.ts';
import { RETRY_FOR_MS, SETTLES_AFTER_MS } from '#lib/refunds/rules/next-step.ts';
import { type PeriodFacts } from '#lib/refunds/rules/period.ts';
import { type ReadPurpose } from '#lib/refunds/rules/ports.ts';
import { type OutcomeDecision } from '#lib/refunds/rules/state.ts';
import { type RefundDecision, recordRefundAudit } from './refund-rows.ts';

/**
 * Records the outcome the first of two people found. It rests on the newest reading of the period: `landed` needs one taken after the last
 * attempt, `not_landed` one taken at least half an hour after it, unless nothing was ever sent. Null when recorded, otherwise why not.
 */
export async function insertDecision(
  pool: pg.Pool,
  proposal: RefundDecision & { decision: OutcomeDecision; text: string },
): Promise<'moved_on' | 'already_proposed' | 'reading_too_old' | 'too_late_to_send' | null> {
  return inClientTransaction(pool, async (client) => {
    const refund = await lockForDecision(client, proposal);
    if (refund === null) return 'moved_on';
    const objection = objectionTo(proposal.decision, refund);
    if (objection !== null) return objection;
    const { rowCount } = await client.query(
      `insert into refund_decision (game_id, refund_id, decision_no, decision, proposed_by, proposed_text, read_no)
       select $1, $2, (select 1 + count(*) from refund_decision where game_id = $1 and refund_id = $2), $3, person.id, $5, $6 from person
       where person.id = $4 and ${writeLiteral(mayPrepareNow('person', 'refunds.request'))}
       on conflict do nothing`,
      [proposal.gameId, proposal.refundId, proposal.decision, proposal.actor.id, proposal.text, refund.read_no],
    );
    if (rowCount === 0) return 'already_proposed';
    await recordRefundAudit(client, proposal, proposal.actor.email, REFUND_ACTIONS.recordedOutcome, {
      decision: proposal.decision,
      text: proposal.text,
    });
    return null;
  });
}

/**
 * A second person confirms the outcome, and the refund moves on. Null when it did, otherwise why not. That they may approve is a condition of the
 * statement that stores it.
 */
export async function confirmDecision(
  pool: pg.Pool,
  confirmation: RefundDecision & { decisionNo: number },
): Promise<'moved_on' | 'same_person' | 'not_allowed' | 'reading_too_old' | 'too_late_to_send' | null> {
  return inClientTransaction(pool, async (client) => {
    const { gameId, refundId, actor, decisionNo } = confirmation;
    const refund = await lockForDecision(client, confirmation);
    const { rows } = await client.query<{ decision: OutcomeDecision; proposed_by: string }>(
      `select decision, proposed_by from refund_decision
       where game_id = $1 and refund_id = $2 and decision_no = $3 and confirmed_at is null and withdrawn_at is null for update`,
      [gameId, refundId, decisionNo],
    );
    const [open] = rows;
    if (refund === null || open === undefined) return 'moved_on';
    if (!isSecondPerson(open.proposed_by, actor.id)) return 'same_person';
    const objection = objectionTo(open.decision, refund);
    if (objection !== null) return objection;
    const { rowCount } = await client.query(
      `update refund_decision set confirmed_by = $4, confirmed_at = clock_now() from person second, person first
       where game_id = $1 and refund_id = $2 and decision_no = $3 and first.id = proposed_by and second.id = $4 and ${writeLiteral(mayApproveNow('second', 'first', 'refunds.approve'))}`,
      [gameId, refundId, decisionNo, actor.id],
    );
    if (rowCount !== 1) return 'not_allowed';
    await client.query(`update refund set ${STEPS[open.decision]} where game_id = $1 and refund_id = $2`, [gameId, refundId]);
    await recordRefundAudit(client, confirmation, actor.email, REFUND_ACTIONS.confirmedOutcome, { decision: open.decision });
    return null;
  });
}

/** Discards a recorded outcome, by who recorded it or a person whose account counts; the refund keeps its state. False when it is confirmed or discarded already. */
export async function discardDecision(pool: pg.Pool, drop: RefundDecision & { decisionNo: number }): Promise<boolean> {
  return inClientTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `update refund_decision set withdrawn_at = clock_now() where game_id = $1 and refund_id = $2 and decision_no = $3 and confirmed_at is null and withdrawn_at is null
         and (proposed_by = $4 or exists (select from person where person.id = $4 and ${writeLiteral(mayPrepareNow('person', 'refunds.request'))}))`,
      [drop.gameId, drop.refundId, drop.decisionNo, drop.actor.id],
    );
    if (rowCount === 1)
      await recordRefundAudit(client, drop, drop.actor.email, REFUND_ACTIONS.discardedOutcome, { decision_no: drop.decisionNo });
    return rowCount === 1;
  });
}

// A transaction that a reading only suggested goes with the suggestion; one that Invo named in an answer to this refund stays.
const KEPT_TRANSACTION = `transaction_id = case when exists (
    select from refund_attempt attempt
    where attempt.game_id = refund.game_id and attempt.refund_id = refund.refund_id and attempt.class = 'reduced'
  ) then transaction_id end`;
const STEPS: Record<OutcomeDecision, string> = {
  landed: `state = 'landed', unanswered_count = 0, outcome_source = 'people', next_look_at = clock_now()`,
  not_landed: `state = 'not_landed', ${KEPT_TRANSACTION}, next_look_at = null`,
  send_again: `state = 'unknown', extra_call_count = 1, ${KEPT_TRANSACTION}, next_look_at = clock_now()`,
};

interface RefundForDecision {
  read_no: number | null;
  /** A reading was taken after the last attempt; false when nothing was ever sent. */
  has_reading_since: boolean;
  has_late_reading: boolean;
  may_send_again: boolean;
}

function objectionTo(decision: OutcomeDecision, refund: RefundForDecision): 'reading_too_old' | 'too_late_to_send' | null {
  switch (decision) {
    case 'landed':
      return refund.has_reading_since ? null : 'reading_too_old';
    case 'not_landed':
      return refund.has_late_reading ? null : 'reading_too_old';
    case 'send_again':
      return refund.may_send_again ? null : 'too_late_to_send';
  }
}

// One more call is safe while Invo remembers the key, and always for a full refund: a second one would find nothing left.
async function lockForDecision(client: pg.ClientBase, { gameId, refundId }: RefundDecision): Promise<RefundForDecision | null> {
  const { rows } = await client.query<RefundForDecision>(
    `select newest.read_no,
       coalesce(newest.read_at > refund.last_sent_at, false) as has_reading_since,
       refund.first_sent_at is null or coalesce(newest.read_at >= refund.last_sent_at + make_interval(secs => $3), false) as has_late_reading,
       refund.first_sent_at is null or greatest(refund.first_sent_at, refund.approved_at) + make_interval(secs => $4) > clock_now()
         or (refund.estimate ->> 'is_full_refund')::boolean as may_send_again
     from refund left join lateral
       (select read_no, read_at from refund_read
        where game_id = $1 and refund_id = $2 and facts ->> 'subscription_id' = refund.subscription_id
        order by read_no desc limit 1) newest on true
     where refund.game_id = $1 and refund.refund_id = $2 and refund.state = 'attention' for update of refund`,
    [gameId, refundId, SETTLES_AFTER_MS / 1000, RETRY_FOR_MS / 1000],
  );
  return rows[0] ?? null;
}

/** Stores a reading that a person requested for a refund that needs attention. False when it needs none any more. */
export async function recordReading(pool: pg.Pool, reading: RefundDecision & { facts: PeriodFacts }): Promise<boolean> {
  return inClientTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `select 1 from refund where game_id = $1 and refund_id = $2 and state = 'attention' for update`,
      [reading.gameId, reading.refundId],
    );
    if (rowCount !== 1) return false;
    await insertReading(client, reading, 'verify', reading.facts);
    await recordRefundAudit(client, reading, reading.actor.email, REFUND_ACTIONS.readPeriod);
    return true;
  });
}

/** Stores a reading of the period, whatever the refund's state. */
export async function storeReading(
  pool: pg.Pool,
  refund: { gameId: number; refundId: number },
  purpose: ReadPurpose,
  facts: PeriodFacts,
): Promise<void> {
  await inClientTransaction(pool, (client) => insertReading(client, refund, purpose, facts));
}

/** Adds the next reading of a refund's period; locks the refund until the client's transaction ends. */
export async function insertReading(
  client: pg.ClientBase,
  refund: { gameId: number; refundId: number },
  purpose: ReadPurpose,
  facts: PeriodFacts,
): Promise<void> {
  // A statement of its own: the count after it sees the reading of the previous lock holder.
  await client.query(`select 1 from refund where game_id = $1 and refund_id = $2 for update`, [refund.gameId, refund.refundId]);
  await client.query(
    `insert into refund_read (game_id, refund_id, read_no, purpose, facts)
     select $1, $2, coalesce(max(read_no), 0) + 1, $3, $4 from refund_read where game_id = $1 and refund_id = $2`,
    [refund.gameId, refund.refundId, purpose, JSON.stringify(facts)],
  );
}
