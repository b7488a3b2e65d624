import { isDeepStrictEqual } from 'node:util';
import { findApprover } from '#lib/people/reads.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import { type AccountRefusal, type ApproverRefusal, decideApproval, decideDecline } from '../approvals/rules/approval.ts';
import type { Actor } from '../core/roles.ts';
import { isPrivate, parseTypedText, WHY_LENGTH_MAX } from '../core/typed-input.ts';
import type { GameContext, InvoFailure } from '../games/game-context.ts';
import type { OpenGame } from '../games/open-game.ts';
import { type FactsRead, readActionFacts, targetOf } from './read-action-facts.ts';
import { type ActionDetails, findAction } from './reads/find-action.ts';
import { auditSubjectOf } from './rules/audit-acts.ts';
import { findChange, protocolOf } from './rules/protocols.ts';
import { recordApproval, recordDecline, recordLapse } from './writes/action-requests.ts';

const RIGHTS = { prepare: 'actions.request', approve: 'actions.approve' } as const;

export type ApprovalResult =
  | { ok: true }
  | { ok: false; reason: 'not_allowed' | 'own_request' | ApproverRefusal | 'moved_on' | 'changed' | 'facts_changed' }
  | { ok: false; reason: 'no_answer'; error: InvoFailure };

/**
 * A second person approves an action, bound to the content they saw. What it depends on is read again first: when that differs, the action ends as
 * expired and nobody sends it. When Invo can't be read, nothing is approved.
 */
export async function approveAction(
  context: GameContext,
  actor: Actor,
  { actionId, contentDigest }: { actionId: number; contentDigest: string },
  read: typeof readActionFacts = readActionFacts,
): Promise<ApprovalResult> {
  const { game } = context;
  const attempt = { actor, gameId: game.gameId, what: 'approval of this desk action', subject: auditSubjectOf(actionId) };
  const decided = async (): Promise<ApprovalResult> => {
    const waiting = await findWaiting(game, actionId);
    if (waiting === null) return { ok: false, reason: 'moved_on' };
    const decision = await decide(game, actor.id, waiting, contentDigest);
    if (decision !== null) return { ok: false, reason: decision };
    const facts = await read(context, targetOf({ ...waiting, orderId: waiting.order_id }), { actor });
    if (facts.kind === 'no_answer') return { ok: false, reason: 'no_answer', error: facts.error };
    if (facts.kind === 'blocked' || !isSame(waiting, facts)) {
      const why = facts.kind === 'blocked' ? facts.blocker : findChange(waiting.kind, waiting.facts, facts.facts);
      await recordLapse(game.db, { gameId: game.gameId, actionId, actor, why: why ?? 'other_player' });
      return { ok: false, reason: 'facts_changed' };
    }
    if (await recordApproval(game.db, { gameId: game.gameId, actionId, actor, contentDigest })) return { ok: true };
    // What was read before the call to Invo no longer held when the approval was stored.
    return { ok: false, reason: (await decide(game, actor.id, waiting, contentDigest)) ?? 'moved_on' };
  };
  return await auditRefusal(game.db, attempt, await decided());
}

function isSame({ kind, facts: shown, playerId }: ActionDetails, fresh: Extract<FactsRead, { kind: 'facts' }>): boolean {
  const { decidingOf } = protocolOf(kind);
  return fresh.playerId === playerId && isDeepStrictEqual(decidingOf({ ...fresh.facts, request: shown.request }), decidingOf(shown));
}

async function findWaiting(game: OpenGame, actionId: number): Promise<ActionDetails | null> {
  const action = await findAction(game.db, game.gameId, actionId);
  return action?.state === 'awaiting_approval' ? action : null;
}

/** Why the person may not approve what they were shown, by the roles and the age of the accounts stored now; null: they may. */
async function decide(
  { db }: OpenGame,
  actorId: string,
  { requestedBy, contentDigest }: ActionDetails,
  shownDigest: string,
): Promise<'not_allowed' | 'own_request' | 'changed' | ApproverRefusal | null> {
  const approver = await findApprover(db, actorId, requestedBy.id);
  if (approver === null) return 'not_allowed';
  const request = { preparedBy: requestedBy.id, contentDigest, needsSecondPerson: true };
  const decision = decideApproval(request, { id: actorId, ...approver, ...RIGHTS }, { shownDigest, exceedsLimit: true });
  return decision.ok ? null : decision.reason;
}

type DeclineResult =
  | { ok: true }
  | { ok: false; reason: 'not_allowed' | AccountRefusal | 'moved_on' | 'why_missing' | 'why_too_long' | 'why_private' };

/** Withdraws or rejects an action that was never sent: its requester withdraws it, an approver rejects it with a reason. */
export async function declineAction(game: OpenGame, actor: Actor, actionId: number, why: string): Promise<DeclineResult> {
  const attempt = { actor, gameId: game.gameId, what: 'rejection of this desk action', subject: auditSubjectOf(actionId) };
  const decided = async (): Promise<DeclineResult> => {
    const typed = parseTypedText(why, WHY_LENGTH_MAX);
    if (typed === 'too_long') return { ok: false, reason: 'why_too_long' };
    // The audit stores it for good.
    if (isPrivate(typed.text ?? '')) return { ok: false, reason: 'why_private' };
    const action = await findAction(game.db, game.gameId, actionId);
    if (action === null) return { ok: false, reason: 'moved_on' };
    const decideNow = async (): Promise<ReturnType<typeof decideDecline>> => {
      const approver = await findApprover(game.db, actor.id, action.requestedBy.id);
      if (approver === null) return { ok: false, reason: 'not_allowed' };
      return decideDecline({ preparedBy: action.requestedBy.id }, { id: actor.id, ...approver, ...RIGHTS }, typed.text ?? '');
    };
    const decision = await decideNow();
    if (!decision.ok) return decision;
    const declined = await recordDecline(game.db, { gameId: game.gameId, actionId, actor, why: typed.text ?? '' });
    if (declined !== null) return { ok: true };
    // What was read before no longer held when the decision was stored.
    const now = await decideNow();
    return now.ok ? { ok: false, reason: 'moved_on' } : now;
  };
  return await auditRefusal(game.db, attempt, await decided());
}
