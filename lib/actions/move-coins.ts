import { auditRefusal } from '../approvals/audit-refusal.ts';
import { type Actor, may } from '../core/roles.ts';
import type { GameContext } from '../games/game-context.ts';
import type { Holder } from './ask-phone.ts';
import { followStart } from './follow-start.ts';
import { openActionPorts } from './press-action.ts';
import { pressStep, type StepResult } from './press-step.ts';
import { findGrant } from './reads/find-grant.ts';
import { auditSubjectOf } from './rules/audit-acts.ts';
import type { Passing } from './rules/protocol.ts';
import { approvalOf, protocolOf } from './rules/protocols.ts';
import { openDeviceCode } from './seal-device-code.ts';
import { endGrant } from './writes/grant-rows.ts';

export type MoveResult =
  /** What goes to the screen of the person who moved them, once; null: nothing. */
  { ok: true; actionId: number; passes: Passing | null } | Extract<StepResult, { ok: false }> | { ok: false; reason: 'not_approved' };

/**
 * Moves the coins of a start whose phone approved: an action of its own, stored before its one call. Once it may have moved them, Postgres refuses every other
 * approval of the transaction.
 */
export async function moveCoins(
  context: GameContext,
  actor: Actor,
  { startId, draftId }: { startId: number; draftId: string },
  holder: Holder,
): Promise<MoveResult> {
  const { db, gameId } = context.game;
  const attempt = { actor, gameId, what: 'to move the coins of a start', subject: auditSubjectOf(startId) };
  const move = async (): Promise<MoveResult> => {
    if (!may(actor.roles, 'actions.request')) return { ok: false, reason: 'not_allowed' };
    const ports = openActionPorts(context, holder, actor);
    const start = await ports.store.find(startId);
    const kind = start === null ? null : approvalOf(start.content.kind);
    if (start?.state !== 'with_player' || kind === null) return { ok: false, reason: 'moved_on' };
    // What the answer passes is for its requester.
    if (protocolOf(kind).isForRequester && start.requestedBy !== actor.id) return { ok: false, reason: 'not_allowed' };
    const grant = await findGrant(db, gameId, startId);
    const deviceCode = grant?.state === 'approved' ? openDeviceCode(gameId, grant, holder.sealKey) : null;
    if (grant === null || deviceCode === null) return { ok: false, reason: 'not_approved' };
    const { transactionId } = grant;
    const house = start.content.facts.request['house_player_id'];
    const request = {
      start_id: startId,
      transaction_id: transactionId,
      ...(house === undefined ? {} : { house_player_id: house }),
      window_ends_at: start.waitsUntil === null ? null : new Date(start.waitsUntil).toISOString(),
    };
    const moved = await pressStep(context, actor, start, { kind, draftId, request, transactionId, deviceCode }, holder);
    if (moved.ok && moved.sent === null) return { ok: true, actionId: moved.actionId, passes: null };
    // After a call that moved nothing the same approval can be used once more (document 3, Device grant).
    if (moved.ok && moved.sent?.state !== 'refused') await endGrant(db, gameId, grant);
    const now = await ports.store.find(startId);
    if (now?.state === 'with_player') await followStart(ports, now);
    return moved.ok ? { ok: true, actionId: moved.actionId, passes: moved.sent?.passes ?? null } : moved;
  };
  return await auditRefusal(db, attempt, await move());
}
