import { type RawBuilder, sql } from 'kysely';
import { countChanges, type Db, inTransaction } from '#db/kit/open.ts';
import { wakeWorker } from '#db/kit/wake.ts';
import { mayApproveNow, mayPrepareNow } from '#lib/approvals/reads.ts';
import { isSecondPerson } from '#lib/approvals/rules/approval.ts';
import { REFUND_ACTIONS } from '../rules/audit-actions.ts';
import { RETRY_FOR_MS, SETTLES_AFTER_MS } from '../rules/next-step.ts';
import type { ReadPurpose } from '../rules/ports.ts';
import type { OutcomeDecision } from '../rules/state.ts';
import type { PeriodFacts } from '../rules/stored.ts';
import { type RefundDecision, type RefundRef, recordRefundAudit } from './refund-rows.ts';

/**
 * Records the outcome the first of two people found. It rests on the newest reading of the period: `landed` needs one taken after the last
 * attempt, `not_landed` one taken at least half an hour after it, unless nothing was ever sent. Null when recorded, otherwise why not.
 */
export async function insertDecision(
  db: Db,
  proposal: RefundDecision & { decision: OutcomeDecision; text: string },
): Promise<'moved_on' | 'already_proposed' | 'reading_too_old' | 'too_late_to_send' | null> {
  return inTransaction(db, async (tx) => {
    const refund = await lockForDecision(tx, proposal);
    if (refund === null) return 'moved_on';
    const objection = objectionTo(proposal.decision, refund);
    if (objection !== null) return objection;
    const rowCount = await countChanges(
      tx,
      sql`insert into refund_decision (game_id, refund_id, decision_no, decision, proposed_by, proposed_text, read_no)
       select ${proposal.gameId}, ${proposal.refundId}, (select 1 + count(*) from refund_decision where game_id = ${proposal.gameId} and refund_id = ${proposal.refundId}), ${proposal.decision}, person.id, ${proposal.text}, ${refund.read_no} from person
       where person.id = ${proposal.actor.id} and ${mayPrepareNow('person', 'refunds.request')}
       on conflict do nothing returning decision_no`,
    );
    if (rowCount === 0) return 'already_proposed';
    await recordRefundAudit(tx, proposal, proposal.actor.email, REFUND_ACTIONS.recordedOutcome, {
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
  db: Db,
  confirmation: RefundDecision & { decisionNo: number },
): Promise<'moved_on' | 'same_person' | 'not_allowed' | 'reading_too_old' | 'too_late_to_send' | null> {
  return inTransaction(db, async (tx) => {
    const { gameId, refundId, actor, decisionNo } = confirmation;
    const refund = await lockForDecision(tx, confirmation);
    const { rows } = await sql<{ decision: OutcomeDecision; proposed_by: string }>`select decision, proposed_by from refund_decision
       where game_id = ${gameId} and refund_id = ${refundId} and decision_no = ${decisionNo} and confirmed_at is null and withdrawn_at is null for update`.execute(
      tx,
    );
    const [open] = rows;
    if (refund === null || open === undefined) return 'moved_on';
    if (!isSecondPerson(open.proposed_by, actor.id)) return 'same_person';
    const objection = objectionTo(open.decision, refund);
    if (objection !== null) return objection;
    const rowCount = await countChanges(
      tx,
      sql`update refund_decision set confirmed_by = ${actor.id}, confirmed_at = clock_now() from person second, person first
       where game_id = ${gameId} and refund_id = ${refundId} and decision_no = ${decisionNo} and first.id = proposed_by and second.id = ${actor.id} and ${mayApproveNow('second', 'first', 'refunds.approve')}`,
    );
    if (rowCount !== 1) return 'not_allowed';
    await sql`update refund set ${stepsOf(gameId)[open.decision]} where game_id = ${gameId} and refund_id = ${refundId}`.execute(tx);
    await recordRefundAudit(tx, confirmation, actor.email, REFUND_ACTIONS.confirmedOutcome, { decision: open.decision });
    if (open.decision !== 'not_landed') await wakeWorker(tx, { queue: 'refund', gameId, id: refundId });
    return null;
  });
}

/** Discards a recorded outcome, by who recorded it or a person whose account counts; the refund stays in its state. False when it is confirmed or discarded already. */
export async function discardDecision(db: Db, drop: RefundDecision & { decisionNo: number }): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const rowCount = await countChanges(
      tx,
      sql`update refund_decision set withdrawn_at = clock_now() where game_id = ${drop.gameId} and refund_id = ${drop.refundId} and decision_no = ${drop.decisionNo} and confirmed_at is null and withdrawn_at is null
         and (proposed_by = ${drop.actor.id} or exists (select from person where person.id = ${drop.actor.id} and ${mayPrepareNow('person', 'refunds.request')}))`,
    );
    if (rowCount === 1)
      await recordRefundAudit(tx, drop, drop.actor.email, REFUND_ACTIONS.discardedOutcome, { decision_no: drop.decisionNo });
    return rowCount === 1;
  });
}

// A transaction that a reading only suggested goes with the suggestion; one that Invo named in an answer to this refund stays.
const namedTransaction = (gameId: number) => sql`transaction_id = case when exists (
    select from refund_attempt attempt
    where attempt.game_id = ${gameId} and attempt.refund_id = refund.refund_id and attempt.class = 'reduced'
  ) then transaction_id end`;
const stepsOf = (gameId: number): Record<OutcomeDecision, RawBuilder<unknown>> => ({
  landed: sql`state = 'landed', unanswered_count = 0, outcome_source = 'people', next_look_at = clock_now()`,
  not_landed: sql`state = 'not_landed', ${namedTransaction(gameId)}, next_look_at = null`,
  send_again: sql`state = 'unknown', extra_call_count = 1, ${namedTransaction(gameId)}, next_look_at = clock_now()`,
});

interface DecisionBasis {
  read_no: number | null;
  /** A reading was taken after the last attempt; false when nothing was ever sent. */
  has_reading_since: boolean;
  has_late_reading: boolean;
  may_send_again: boolean;
}

function objectionTo(decision: OutcomeDecision, refund: DecisionBasis): 'reading_too_old' | 'too_late_to_send' | null {
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
async function lockForDecision(tx: Db, { gameId, refundId }: RefundDecision): Promise<DecisionBasis | null> {
  const { rows } = await sql<DecisionBasis>`select newest.read_no,
       coalesce(newest.read_at > refund.last_sent_at, false) as has_reading_since,
       refund.first_sent_at is null or coalesce(newest.read_at >= refund.last_sent_at + make_interval(secs => ${SETTLES_AFTER_MS / 1000}), false) as has_late_reading,
       refund.first_sent_at is null or greatest(refund.first_sent_at, refund.approved_at) + make_interval(secs => ${RETRY_FOR_MS / 1000}) > clock_now()
         or (refund.estimate ->> 'is_full_refund')::boolean as may_send_again
     from refund left join lateral
       (select read_no, read_at from refund_read
        where game_id = ${gameId} and refund_id = ${refundId} and facts ->> 'subscription_id' = refund.subscription_id
        order by read_no desc limit 1) newest on true
     where refund.game_id = ${gameId} and refund.refund_id = ${refundId} and refund.state = 'attention' for update of refund`.execute(tx);
  return rows[0] ?? null;
}

/** Stores a reading that a person requested for a refund that needs attention. False when it needs none any more. */
export async function recordReading(db: Db, reading: RefundDecision & { facts: PeriodFacts }): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const rowCount = (
      await sql`select 1 from refund where game_id = ${reading.gameId} and refund_id = ${reading.refundId} and state = 'attention' for update`.execute(
        tx,
      )
    ).rows.length;
    if (rowCount !== 1) return false;
    await insertReading(tx, reading, 'verify', reading.facts);
    await recordRefundAudit(tx, reading, reading.actor.email, REFUND_ACTIONS.readPeriod);
    return true;
  });
}

/** Stores a reading of the period, whatever the refund's state. */
export async function storeReading(db: Db, refund: RefundRef, purpose: ReadPurpose, facts: PeriodFacts): Promise<void> {
  await inTransaction(db, (tx) => insertReading(tx, refund, purpose, facts));
}

/** Adds the next reading of a refund's period; locks the refund until the transaction ends. */
export async function insertReading(tx: Db, refund: RefundRef, purpose: ReadPurpose, facts: PeriodFacts): Promise<void> {
  // A statement of its own: the count after it sees the reading of the previous lock holder.
  await sql`select 1 from refund where game_id = ${refund.gameId} and refund_id = ${refund.refundId} for update`.execute(tx);
  await sql`insert into refund_read (game_id, refund_id, read_no, purpose, facts)
     select ${refund.gameId}, ${refund.refundId}, coalesce(max(read_no), 0) + 1, ${purpose}, ${JSON.stringify(facts)} from refund_read where game_id = ${refund.gameId} and refund_id = ${refund.refundId}`.execute(
    tx,
  );
}
