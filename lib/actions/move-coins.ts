import { auditRefusal } from '../approvals/audit-refusal.ts';
import { sha256Of } from '../core/canonical-digest.ts';
import { type Actor, may } from '../core/roles.ts';
import type { GameContext } from '../games/game-context.ts';
import { digestContent } from './action-digest.ts';
import type { Holder } from './ask-phone.ts';
import { followStart } from './follow-start.ts';
import { openActionPorts, pressAction } from './press-action.ts';
import { findGrant } from './reads/find-grant.ts';
import type { ActionContent } from './rules/action-ports.ts';
import { auditSubjectOf } from './rules/audit-acts.ts';
import type { Passing } from './rules/protocol.ts';
import { approvalOf, protocolOf } from './rules/protocols.ts';
import { openDeviceCode } from './seal-device-code.ts';
import type { SendResult } from './send-approved.ts';
import { insertAction, type NotStored } from './writes/action-requests.ts';
import { endGrant } from './writes/grant-rows.ts';

export type MoveResult =
  /** What goes to the screen of the person who moved them, once; null: nothing. */
  | { ok: true; actionId: number; passes: Passing | null }
  | { ok: false; reason: NotStored | 'moved_on' | 'not_approved' }
  | { ok: false; reason: 'another_open'; actionId: number }
  | { ok: false; reason: 'not_sent'; sent: Extract<SendResult, { ok: false }> };

/**
 * Moves the coins of a start whose phone approved: an action of its own, stored before its one call. The start was approved by a second person where that
 * was needed, so this isn't again. Once it may have moved them, Postgres refuses every other approval of the transaction.
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
    const { content } = start;
    const house = content.facts.request['house_player_id'];
    const request = {
      start_id: startId,
      transaction_id: grant.transactionId,
      ...(house === undefined ? {} : { house_player_id: house }),
      window_ends_at: start.waitsUntil === null ? null : new Date(start.waitsUntil).toISOString(),
    };
    const { destination: _, ...facts } = content.facts;
    const body = Buffer.from(protocolOf(kind).write(request, { reference: null, email: null, entered: null, deviceCode }), 'utf8');
    const approval: ActionContent = {
      ...content,
      kind,
      reference: null,
      amount: null,
      facts: { ...facts, request },
      request_digest: sha256Of(body),
    };
    const stored = await insertAction(db, gameId, {
      content: approval,
      contentDigest: digestContent(approval),
      requestBytes: null,
      draftId,
      step: { parentId: startId, transactionId: grant.transactionId },
      actor,
      isPolicyEnough: true,
    });
    if (typeof stored === 'string') return { ok: false, reason: stored };
    if ('openId' in stored) return { ok: false, reason: 'another_open', actionId: stored.openId };
    const { actionId } = stored;
    if (!stored.isNew) return { ok: true, actionId, passes: null };
    const sent = await pressAction(context, actor, actionId, holder);
    // After a call that moved nothing the same approval can be used once more (document 3, Device grant).
    if (sent.ok && sent.state !== 'refused') await endGrant(db, gameId, grant);
    const now = await ports.store.find(startId);
    if (now?.state === 'with_player') await followStart(ports, now);
    return sent.ok ? { ok: true, actionId, passes: sent.passes } : { ok: false, reason: 'not_sent', sent };
  };
  return await auditRefusal(db, attempt, await move());
}
