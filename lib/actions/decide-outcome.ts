import { findAccountRefusal, findApproverRefusal } from '#lib/people/reads.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import type { ApproverRefusal } from '../approvals/rules/approval.ts';
import { type Actor, may } from '../core/roles.ts';
import { isPrivate, OUTCOME_LENGTH_MAX, parseTypedNote } from '../core/typed-input.ts';
import type { GameContext, InvoFailure } from '../games/game-context.ts';
import type { OpenGame } from '../games/open-game.ts';
import type { Sender } from './action-wire.ts';
import { openActionPorts } from './press-action.ts';
import { readForOutcome } from './read-action-facts.ts';
import { findAction } from './reads/find-action.ts';
import { orderIdIn, transactionIdIn } from './rules/action-facts.ts';
import type { Outcome } from './rules/action-state.ts';
import { auditSubjectOf } from './rules/audit-acts.ts';
import { isDecidedAlone, isReadAsPlayer, protocolOf } from './rules/protocols.ts';
import { settleByReading } from './settle-action.ts';
import { confirmDecision, discardDecision, insertDecision, type OutcomeRefusal, recordReading } from './writes/action-decisions.ts';

type RereadResult =
  | { ok: true }
  | { ok: false; reason: 'not_allowed' | 'moved_on' }
  | { ok: false; reason: 'no_answer'; error: InvoFailure | null };

/**
 * Reads what an action that needs attention is about, and stores the reading: an outcome rests on the newest one. What is read as the player is read so while
 * it is being checked too, because no worker does, and settled by it. Sends nothing.
 */
export async function rereadAction(context: GameContext, actor: Actor, actionId: number): Promise<RereadResult> {
  const { game } = context;
  if (!may(actor.roles, 'actions.request')) return { ok: false, reason: 'not_allowed' };
  const action = await findAction(game.db, game.gameId, actionId);
  const isLookedAt = action?.state === 'checking' && isReadAsPlayer(action.kind);
  if (action === null || (action.state !== 'attention' && !isLookedAt)) return { ok: false, reason: 'moved_on' };
  const { kind, playerId, reference, facts } = action;
  const orderId = action.order_id ?? orderIdIn(action.result);
  const what = protocolOf(kind).reading ?? 'wallet';
  const transactionId = transactionIdIn(facts.request, action.result);
  const target = { kind: what, playerId, orderId, reference, facts, isItem: kind === 'item_sale', transactionId };
  const read = await readForOutcome(context, target, { actor });
  if (action.state === 'checking' && 'reading' in read) {
    const ports = openActionPorts(context, NEVER_SENDS, actor);
    const job = await ports.store.find(actionId);
    if (job?.state !== 'checking') return { ok: false, reason: 'moved_on' };
    await settleByReading(ports, job, read);
    return { ok: true };
  }
  if ('error' in read) return { ok: false, reason: 'no_answer', error: read.error };
  const isStored = await recordReading(game.db, { gameId: game.gameId, actionId, actor, reading: read.reading });
  return isStored ? { ok: true } : { ok: false, reason: 'moved_on' };
}

const NEVER_SENDS: Sender = {
  owner: 'a reading',
  beforeSending: () => {
    throw new Error('a reading sends nothing');
  },
};

export type OutcomeResult =
  | { ok: true }
  | { ok: false; reason: OutcomeRefusal | ApproverRefusal | 'text_missing' | 'text_too_long' | 'text_private' };

/** A person records the outcome of an action that needs attention, and why. Where the kind requires two people, a second one confirms it. */
export async function recordOutcome(
  game: OpenGame,
  actor: Actor,
  { actionId, decision, text }: { actionId: number; decision: Outcome; text: string },
): Promise<OutcomeResult> {
  const attempt = { actor, gameId: game.gameId, what: 'to record an outcome', subject: auditSubjectOf(actionId) };
  const record = async (): Promise<OutcomeResult> => {
    if (!may(actor.roles, 'actions.request')) return { ok: false, reason: 'not_allowed' };
    const typed = parseTypedNote(text, OUTCOME_LENGTH_MAX);
    if (!typed.ok) return { ok: false, reason: `text_${typed.reason}` };
    // The audit stores it for good.
    if (isPrivate(typed.text)) return { ok: false, reason: 'text_private' };
    const action = await findAction(game.db, game.gameId, actionId);
    if (action === null) return { ok: false, reason: 'moved_on' };
    const { reading } = protocolOf(action.kind);
    const isSandbox = game.environment === 'sandbox';
    const isAlone = isDecidedAlone(action.kind, game.environment);
    const findRefusal = async () => {
      const refusal = await findAccountRefusal(game.db, actor.id, 'actions.request');
      return isSandbox || (isAlone && refusal === 'too_new') ? null : refusal;
    };
    const reason = await findRefusal();
    if (reason !== null) return { ok: false, reason };
    const proposal = { gameId: game.gameId, actionId, actor, decision, text: typed.text, isAlone, hasReading: reading !== null };
    const refusal = await insertDecision(game.db, proposal);
    if (refusal === null) return { ok: true };
    return { ok: false, reason: refusal === 'already_proposed' ? ((await findRefusal()) ?? refusal) : refusal };
  };
  return await auditRefusal(game.db, attempt, await record());
}

/** A second person confirms the recorded outcome, and the action ends. */
export async function confirmOutcome(
  game: OpenGame,
  actor: Actor,
  { actionId, decisionNo }: { actionId: number; decisionNo: number },
): Promise<OutcomeResult> {
  const attempt = { actor, gameId: game.gameId, what: 'confirmation of the outcome', subject: auditSubjectOf(actionId) };
  const confirm = async (): Promise<OutcomeResult> => {
    if (!may(actor.roles, 'actions.approve')) return { ok: false, reason: 'not_allowed' };
    const action = await findAction(game.db, game.gameId, actionId);
    const first = action?.decisions.find(({ decision_no }) => decision_no === decisionNo);
    if (!action || !first) return { ok: false, reason: 'moved_on' };
    const findRefusal = () => findApproverRefusal(game.db, actor.id, { right: 'actions.approve', preparerId: first.by.id });
    const reason = await findRefusal();
    if (reason !== null) return { ok: false, reason };
    const hasReading = protocolOf(action.kind).reading !== null;
    const refusal = await confirmDecision(game.db, { gameId: game.gameId, actionId, actor, decisionNo, hasReading });
    if (refusal === null) return { ok: true };
    return { ok: false, reason: refusal === 'not_allowed' ? ((await findRefusal()) ?? refusal) : refusal };
  };
  return await auditRefusal(game.db, attempt, await confirm());
}

/** Discards a recorded outcome that is not confirmed. */
export async function discardOutcome(
  game: OpenGame,
  actor: Actor,
  { actionId, decisionNo }: { actionId: number; decisionNo: number },
): Promise<OutcomeResult> {
  const attempt = { actor, gameId: game.gameId, what: 'to discard the outcome', subject: auditSubjectOf(actionId) };
  const discard = async (): Promise<OutcomeResult> => {
    if (!may(actor.roles, 'actions.request')) return { ok: false, reason: 'not_allowed' };
    if (await discardDecision(game.db, { gameId: game.gameId, actionId, actor, decisionNo })) return { ok: true };
    const first = (await findAction(game.db, game.gameId, actionId))?.decisions.find(({ decision_no }) => decision_no === decisionNo);
    const isOther = first !== undefined && first.by.id !== actor.id;
    const refusal = isOther ? await findAccountRefusal(game.db, actor.id, 'actions.request') : null;
    return { ok: false, reason: refusal ?? 'moved_on' };
  };
  return await auditRefusal(game.db, attempt, await discard());
}
