import { type RawBuilder, sql } from 'kysely';
import { countChanges, type Db, inTransaction } from '#db/kit/open.ts';
import { wakeWorker } from '#db/kit/wake.ts';
import {
  accountStatus,
  isNotPaused,
  isSandbox,
  mayActAloneIn,
  mayApproveNow,
  mayNow,
  mayPrepareNow,
  withinLimits,
} from '#lib/approvals/reads.ts';
import { type AccountRefusal, type AccountStatus, accountRefusalOf, aloneRefusalOf } from '#lib/approvals/rules/approval.ts';
import { isGroupOn } from '../reads/action-controls.ts';
import { approvedWithin24Hours } from '../reads/person-limits.ts';
import type { FactsChange } from '../rules/action-facts.ts';
import type { ActionContent } from '../rules/action-ports.ts';
import { ACTION_ACTS } from '../rules/audit-acts.ts';
import { groupOf, limitedBy, protocolOf } from '../rules/protocols.ts';
import { APPROVAL_VALID_MS } from '../rules/settling-times.ts';
import { type ActionDecision, recordActionAudit } from './action-rows.ts';

/** A request to store. */
export interface NewAction {
  content: ActionContent;
  contentDigest: Buffer;
  /** What the worker sends; null: another kind. */
  requestBytes: Buffer | null;
  draftId: string;
  /** Start that it is a step of, and the transaction that it is about; left out: it is none. */
  step?: { parentId: number; transactionId: string | null };
  actor: { id: string; email: string };
  /** Whether it needs no second person, as far as was known before: the statement that stores it decides. */
  isPolicyEnough: boolean;
}

/** Why nothing is stored. `openId`: another action about the same is open. */
export type NotStored = 'not_allowed' | 'paused' | 'switched_off' | AccountRefusal;
export type Stored = { actionId: number; isNew: boolean } | { openId: number } | NotStored;

const TRIES_MAX = 5;

/**
 * Stores a request with its digests and its audit row. A form that is stored already returns its action; another action about the same returns that
 * one. Right, limits, switch and pause are conditions of the statement that stores it: beyond the limits it waits for a second person.
 */
export async function insertAction(db: Db, gameId: number, action: NewAction): Promise<Stored> {
  // The other action may end between the conflict and the lookup; then it is tried again.
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const stored = (await tryInsert(db, gameId, action)) ?? (await tryInsert(db, gameId, { ...action, isPolicyEnough: false }));
    if (stored !== null) return stored;
  }
  throw new Error(`a desk action can neither be stored nor found, after ${TRIES_MAX} tries`);
}

async function tryInsert(db: Db, gameId: number, action: NewAction): Promise<Stored | null> {
  const { actor, content, draftId, step, isPolicyEnough } = action;
  const protocol = protocolOf(content.kind);
  const subject = protocol.subjectOf(content.facts.request, content.player_id);
  return inTransaction(db, async (tx): Promise<Stored | null> => {
    // One at a time per person: each counts what the one before stored towards the limit of 24 hours.
    const { rows: people } = await sql<{ status: AccountStatus }>`select ${accountStatus('person')} as status from person
      where id = ${actor.id} and ${mayNow('person', 'actions.request')} for no key update`.execute(tx);
    const [person] = people;
    if (person === undefined) return 'not_allowed';
    const { rows } = await sql<{ action_id: number; draft_id: string }>`select action_id, draft_id from desk_action
      where game_id = ${gameId} and (draft_id = ${draftId} or subject = ${subject} and ended_at is null
        or subject = ${subject} and transaction_id = ${step?.transactionId ?? null} and state <> 'refused')
      order by (draft_id = ${draftId}) desc limit 1`.execute(tx);
    const [there] = rows;
    if (there !== undefined) return there.draft_id === draftId ? { actionId: there.action_id, isNew: false } : { openId: there.action_id };
    const isOn = isGroupOn(gameId, groupOf(content.kind, content.facts.request));
    const now = await tx
      .selectNoFrom([isNotPaused(gameId, 'desk actions').as('isSending'), isOn.as('isOn'), isSandbox(gameId).as('isSandbox')])
      .executeTakeFirstOrThrow();
    if (!now.isOn) return 'switched_off';
    if (!now.isSending) return 'paused';
    // What needs a second person counts as the act of the first. A sandbox game has no second persons.
    const refusal = isPolicyEnough ? aloneRefusalOf(person.status) : accountRefusalOf(person.status);
    if (refusal !== null && !now.isSandbox) return refusal;
    const actionId = await insert(tx, gameId, action, subject);
    if (actionId === null) return null;
    const { kind, player_id, amount } = content;
    const detail = {
      kind,
      player_id,
      amount,
      unit: protocol.unit,
      approval: isPolicyEnough ? 'policy' : null,
      content: action.contentDigest.toString('hex'),
    };
    await recordActionAudit(tx, { gameId, actionId }, actor.email, ACTION_ACTS.requested, detail);
    if (isPolicyEnough) await wakeWorker(tx, { queue: 'actions', gameId, id: actionId, dueAt: continuesAt(protocol.repeats) });
    return { actionId, isNew: true };
  });
}

async function insert(tx: Db, gameId: number, action: NewAction, subject: string): Promise<number | null> {
  const { content, contentDigest, requestBytes, draftId, step, actor, isPolicyEnough } = action;
  const { repeats, unit } = protocolOf(content.kind);
  const { amount } = content;
  const approved = <Value>(value: RawBuilder<Value>): RawBuilder<Value | null> => (isPolicyEnough ? value : sql<null>`null`);
  // The person is locked, so what counts towards their limits stays as it is.
  const { rows: allowed } = await sql`select from person
    where person.id = ${actor.id} and ${mayNow('person', 'actions.request')} and (not ${isPolicyEnough}::boolean or ${isWithinLimits(gameId, content)})`.execute(
    tx,
  );
  if (allowed.length === 0) return null;
  const { rows } = await sql<{
    action_id: number;
  }>`insert into desk_action (game_id, kind, repeats, draft_id, subject, player_id, order_id, reference,
      parent_id, transaction_id, amount, unit, facts, request_bytes, request_digest, content_digest, reason_code, reason_text, ticket, requested_by, needs_second_approver,
      state, approval, approved_at, approved_digest, next_look_at)
    values (${gameId}::int, ${content.kind}, ${repeats}, ${draftId}::uuid, ${subject}, ${content.player_id}::bigint, ${content.order_id}, ${content.reference},
      ${step?.parentId ?? null}::bigint, ${step?.transactionId ?? null}, ${amount}::coins, ${amount === null ? null : unit}, ${JSON.stringify(content.facts)}::jsonb, ${requestBytes}::bytea, ${content.request_digest}::bytea, ${contentDigest}::bytea,
      ${content.reason_code}, ${content.reason_text}, ${content.ticket}, ${actor.id}, ${!isPolicyEnough}::boolean,
      ${isPolicyEnough ? 'approved' : 'awaiting_approval'}, ${isPolicyEnough ? 'policy' : null}, ${approved(sql`clock_now()`)},
      ${approved(sql`${contentDigest}::bytea`)}, ${approved(continuesAt(repeats))})
    on conflict do nothing returning action_id`.execute(tx);
  return rows[0]?.action_id ?? null;
}

/** When the worker continues with what was just approved: it sends its own kinds now, the others expire unless people send them. */
function continuesAt(repeats: string): RawBuilder<unknown> {
  return sql`clock_now() + make_interval(secs => ${repeats === 'worker' ? 0 : APPROVAL_VALID_MS / 1_000})`;
}

/** Whether an action is within the limits of the row `person`; a sandbox game has none, and of most kinds what has no amount needs none. */
function isWithinLimits(gameId: number, { kind, amount }: ActionContent): RawBuilder<boolean> {
  const what = limitedBy(kind);
  if (protocolOf(kind).needsSecondPerson)
    return sql<boolean>`exists (select from game where game_id = ${gameId} and environment = 'sandbox')`;
  if (amount === null || what === null) return sql<boolean>`true`;
  const dayBefore = approvedWithin24Hours(gameId, sql.ref('person.id'), what);
  const amounts = { one: sql`${amount}::numeric`, day: sql`${amount}::numeric` };
  return sql<boolean>`(exists (select from game where game.game_id = ${gameId} and game.environment = 'sandbox')
    or ${withinLimits({ what, gameId, person: 'person', amounts, dayBefore })})`;
}

/** What a person saw when they approved. */
export interface ShownApproval extends ActionDecision {
  /** Hex digest of the content that was shown. */
  contentDigest: string;
}

/** A second person approves an action exactly as shown. False when it has moved on, or they may not, by what is stored now. */
export async function recordApproval(db: Db, decision: ShownApproval): Promise<boolean> {
  const { gameId, actionId, actor, contentDigest } = decision;
  return inTransaction(db, async (tx) => {
    // Who repeats an action never changes, so it is read first: a distributed database computes no instant from a row that it changes.
    const action = await sql<{
      repeats: string;
    }>`select repeats from desk_action where game_id = ${gameId} and action_id = ${actionId}`.execute(tx);
    const repeats = action.rows[0]?.repeats ?? 'never';
    const { rows } = await sql<{
      kind: string;
      player_id: number;
      email: string;
    }>`update desk_action set state = 'approved', approval = 'person',
        approved_by = decider.id, approved_at = clock_now(), approved_digest = content_digest,
        next_look_at = ${continuesAt(repeats)}, last_error_code = null, last_error_id = null
      from person decider, person requester
      where desk_action.game_id = ${gameId} and action_id = ${actionId} and state = 'awaiting_approval' and encode(content_digest, 'hex') = ${contentDigest}
        and decider.id = ${actor.id} and requester.id = desk_action.requested_by and ${mayApproveNow('decider', 'requester', 'actions.approve')}
      returning kind, player_id, requester.email`.execute(tx);
    const [row] = rows;
    if (row === undefined) return false;
    const detail = { kind: row.kind, player_id: row.player_id, asked_by: row.email, content: contentDigest };
    await recordActionAudit(tx, decision, actor.email, ACTION_ACTS.approved, detail);
    await wakeWorker(tx, { queue: 'actions', gameId, id: actionId, dueAt: continuesAt(repeats) });
    return true;
  });
}

/**
 * Ends an action that nobody sent: its requester withdraws it, a person who may approve and whose account counts rejects it. Null: it has moved on, or
 * they may not.
 */
export async function recordDecline(db: Db, decision: ActionDecision & { why: string }): Promise<'rejected' | 'withdrawn' | null> {
  const { gameId, actionId, actor, why } = decision;
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ state: 'rejected' | 'withdrawn' }>`update desk_action
      set state = case when requested_by = ${actor.id} then 'withdrawn' else 'rejected' end, next_look_at = null
      where game_id = ${gameId} and action_id = ${actionId} and unanswered_count = 0
        and (state = 'awaiting_approval' or state = 'approved' and requested_by = ${actor.id})
        and exists (select from person where person.id = ${actor.id}
          and (person.id = requested_by and ${mayActAloneIn('person', 'actions.request', gameId)} or ${mayPrepareNow('person', 'actions.approve')}))
      returning state`.execute(tx);
    const [row] = rows;
    if (row === undefined) return null;
    const act = row.state === 'rejected' ? ACTION_ACTS.rejected : ACTION_ACTS.withdrew;
    await recordActionAudit(tx, decision, actor.email, act, { why });
    return row.state;
  });
}

/** Ends an action that awaits approval because what it depends on has changed, or its day is over. False: it has moved on. */
export async function recordLapse(db: Db, decision: ActionDecision & { why: FactsChange }): Promise<boolean> {
  const { gameId, actionId, actor, why } = decision;
  return inTransaction(db, async (tx) => {
    const changed = await countChanges(
      tx,
      sql`update desk_action set state = 'lapsed', next_look_at = null, last_error_code = ${why} where game_id = ${gameId} and action_id = ${actionId} and state = 'awaiting_approval'`,
    );
    const detail = { from: 'awaiting_approval', to: 'lapsed' };
    if (changed === 1) await recordActionAudit(tx, decision, actor.email, ACTION_ACTS.lapsed, detail);
    return changed === 1;
  });
}
