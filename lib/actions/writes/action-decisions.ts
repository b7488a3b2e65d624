import { sql } from 'kysely';
import { countChanges, type Db, inTransaction } from '#db/kit/open.ts';
import { mayActAloneIn, mayApproveNow, mayPrepareNow } from '#lib/approvals/reads.ts';
import { isSecondPerson } from '#lib/approvals/rules/approval.ts';
import type { Reading } from '../rules/action-facts.ts';
import type { Outcome } from '../rules/action-state.ts';
import { ACTION_ACTS } from '../rules/audit-acts.ts';
import { type ActionDecision, recordActionAudit } from './action-rows.ts';
import { insertReading } from './action-store.ts';

/** The shortest time after the last call after which a reading may say that it was not executed. */
const SETTLED_SECONDS = 30 * 60;

/** Why an outcome isn't recorded or confirmed. */
export type OutcomeRefusal = 'moved_on' | 'already_proposed' | 'reading_missing' | 'too_soon' | 'same_person' | 'not_allowed';

/**
 * Records the outcome that a person found, of an action that needs attention. It rests on the newest reading after the last call, and that it was not
 * executed on one half an hour later, or on that time alone where nothing can be read, unless nothing was sent. Where one person is enough it takes effect at once. Null: recorded.
 */
export async function insertDecision(
  db: Db,
  proposal: ActionDecision & { decision: Outcome; text: string; isAlone: boolean; hasReading: boolean },
): Promise<OutcomeRefusal | null> {
  const { gameId, actionId, actor, decision, text, isAlone } = proposal;
  return inTransaction(db, async (tx): Promise<OutcomeRefusal | null> => {
    const basis = await lockForDecision(tx, proposal);
    if (basis === null) return 'moved_on';
    const unfounded = findUnfounded(decision, basis, proposal.hasReading);
    if (unfounded !== null) return unfounded;
    const right = isAlone ? mayActAloneIn('person', 'actions.request', gameId) : mayPrepareNow('person', 'actions.request');
    const stored = await countChanges(
      tx,
      sql`insert into desk_action_decision (game_id, action_id, decision_no, decision, is_alone, proposed_by, proposed_text, read_no, confirmed_at)
        select ${gameId}::int, ${actionId}::bigint, (select 1 + count(*) from desk_action_decision where game_id = ${gameId} and action_id = ${actionId}),
          ${decision}, ${isAlone}::boolean, person.id, ${text}, ${basis.read_no}::int, ${isAlone ? sql`clock_now()` : null}::timestamptz
        from person where person.id = ${actor.id} and ${right} on conflict do nothing returning decision_no`,
    );
    if (stored === 0) return 'already_proposed';
    await recordActionAudit(tx, proposal, actor.email, ACTION_ACTS.recordedOutcome, { decision, text });
    if (isAlone) await applyOutcome(tx, proposal, decision);
    return null;
  });
}

/** A second person confirms the recorded outcome, and the action ends. Null: it did. */
export async function confirmDecision(
  db: Db,
  confirmation: ActionDecision & { decisionNo: number; hasReading: boolean },
): Promise<OutcomeRefusal | null> {
  const { gameId, actionId, actor, decisionNo, hasReading } = confirmation;
  return inTransaction(db, async (tx): Promise<OutcomeRefusal | null> => {
    const basis = await lockForDecision(tx, confirmation);
    const { rows } = await sql<{ decision: Outcome; proposed_by: string }>`select decision, proposed_by from desk_action_decision
      where game_id = ${gameId} and action_id = ${actionId} and decision_no = ${decisionNo} and confirmed_at is null and withdrawn_at is null for update`.execute(
      tx,
    );
    const [open] = rows;
    if (basis === null || open === undefined) return 'moved_on';
    if (!isSecondPerson(open.proposed_by, actor.id)) return 'same_person';
    const unfounded = findUnfounded(open.decision, basis, hasReading);
    if (unfounded !== null) return unfounded;
    const confirmed = await countChanges(
      tx,
      sql`update desk_action_decision set confirmed_by = second.id, confirmed_at = clock_now() from person second, person first
        where game_id = ${gameId} and action_id = ${actionId} and decision_no = ${decisionNo} and first.id = proposed_by and second.id = ${actor.id}
          and ${mayApproveNow('second', 'first', 'actions.approve')}`,
    );
    if (confirmed === 0) return 'not_allowed';
    await recordActionAudit(tx, confirmation, actor.email, ACTION_ACTS.confirmedOutcome, { decision: open.decision });
    await applyOutcome(tx, confirmation, open.decision);
    return null;
  });
}

/** Discards a recorded outcome; the action still needs attention. False: it is confirmed or discarded already, or they may not. */
export async function discardDecision(db: Db, drop: ActionDecision & { decisionNo: number }): Promise<boolean> {
  const { gameId, actionId, actor, decisionNo } = drop;
  return inTransaction(db, async (tx) => {
    const dropped = await countChanges(
      tx,
      sql`update desk_action_decision set withdrawn_at = clock_now() where game_id = ${gameId} and action_id = ${actionId} and decision_no = ${decisionNo}
        and confirmed_at is null and withdrawn_at is null
        and (proposed_by = ${actor.id} or exists (select from person where person.id = ${actor.id} and ${mayPrepareNow('person', 'actions.request')}))`,
    );
    if (dropped === 1) await recordActionAudit(tx, drop, actor.email, ACTION_ACTS.discardedOutcome, { decision_no: decisionNo });
    return dropped === 1;
  });
}

/** Stores a reading that a person requested. False: the action needs no attention any more. */
export async function recordReading(db: Db, { reading, ...decision }: ActionDecision & { reading: Reading }): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    if ((await lockForDecision(tx, decision)) === null) return false;
    await insertReading(tx, decision, reading);
    await recordActionAudit(tx, decision, decision.actor.email, ACTION_ACTS.read);
    return true;
  });
}

interface DecisionBasis {
  read_no: number | null;
  was_sent: boolean;
  has_reading_since: boolean;
  has_late_reading: boolean;
  /** The last call is so long ago that it can't arrive any more. */
  is_late: boolean;
}

/** Why an outcome has no basis yet; null: it has one. Of a kind that nothing reads, time alone says that a late call won't arrive. */
function findUnfounded(decision: Outcome, basis: DecisionBasis, hasReading: boolean): 'reading_missing' | 'too_soon' | null {
  if (!basis.was_sent) return null;
  if (!hasReading) return decision === 'done' || basis.is_late ? null : 'too_soon';
  return (decision === 'done' ? basis.has_reading_since : basis.has_late_reading) ? null : 'reading_missing';
}

async function lockForDecision(tx: Db, { gameId, actionId }: ActionDecision): Promise<DecisionBasis | null> {
  const { rows } = await sql<DecisionBasis>`select newest.read_no, action.first_sent_at is not null as was_sent,
      coalesce(newest.read_at > action.last_sent_at, false) as has_reading_since,
      coalesce(newest.read_at >= action.last_sent_at + make_interval(secs => ${SETTLED_SECONDS}), false) as has_late_reading,
      coalesce(clock_now() >= action.last_sent_at + make_interval(secs => ${SETTLED_SECONDS}), false) as is_late
    from desk_action action left join lateral (select read_no, read_at from desk_action_read read
      where read.game_id = ${gameId} and read.action_id = ${actionId} order by read_no desc limit 1) newest on true
    where action.game_id = ${gameId} and action.action_id = ${actionId} and action.state = 'attention' for update of action`.execute(tx);
  return rows[0] ?? null;
}

async function applyOutcome(tx: Db, { gameId, actionId }: ActionDecision, outcome: Outcome): Promise<void> {
  const source = outcome === 'done' ? 'people' : null;
  await sql`update desk_action set state = ${outcome}, outcome_source = ${source}, next_look_at = null, settle_until = null
    where game_id = ${gameId} and action_id = ${actionId}`.execute(tx);
}

/**
 * After a restore nobody knows what was sent since the backup: what was approved needs people, and what awaits approval ends, so that nothing is sent a
 * second time. Joins the transaction of the handle.
 */
export async function holdUnsentActions(tx: Db, gameId: number): Promise<void> {
  const { rows } = await sql<{ action_id: number; from: string; to: string }>`
    with held as (select action_id, state from desk_action where game_id = ${gameId} and state in ('approved', 'waiting', 'awaiting_approval'))
    update desk_action set state = case held.state when 'awaiting_approval' then 'lapsed' else 'attention' end,
      attention_reason = case when held.state <> 'awaiting_approval' then 'restored' end, next_look_at = null
    from held where desk_action.game_id = ${gameId} and desk_action.action_id = held.action_id
    returning desk_action.action_id, held.state as "from", desk_action.state as "to"`.execute(tx);
  for (const { action_id: actionId, from, to } of rows) {
    const act = to === 'lapsed' ? ACTION_ACTS.lapsed : ACTION_ACTS.needsAttention;
    await recordActionAudit(tx, { gameId, actionId }, 'worker', act, { from, to, ...(to === 'lapsed' ? {} : { reason: 'restored' }) });
  }
}
