import { sha256Of } from '../core/canonical-digest.ts';
import type { Actor } from '../core/roles.ts';
import type { GameContext } from '../games/game-context.ts';
import { readPlayer } from '../players/read-player.ts';
import { digestContent } from './action-digest.ts';
import type { Sender } from './action-wire.ts';
import { openActionPorts, pressAction } from './press-action.ts';
import type { ActionFacts } from './rules/action-facts.ts';
import type { ActionContent, ActionJob } from './rules/action-ports.ts';
import type { ActionKind } from './rules/kinds.ts';
import { protocolOf } from './rules/protocols.ts';
import type { SendResult } from './send-approved.ts';
import { insertAction, type NotStored } from './writes/action-requests.ts';

/** A step of a start, as it is requested and pressed at once. */
export interface Step {
  kind: ActionKind;
  draftId: string;
  request: ActionFacts['request'];
  /** Invo's transaction that it is about; null: it is about none. */
  transactionId: string | null;
  deviceCode?: string;
  /** The phone of the start, where its body has it. */
  phone?: string;
  /** A second person approves it first; its requester presses it then. */
  needsApproval?: boolean;
}

export type StepResult =
  /** `sent` null: it waits for a second person, or was sent before. */
  | { ok: true; actionId: number; sent: Extract<SendResult, { ok: true }> | null }
  | { ok: false; reason: NotStored | 'moved_on' }
  | { ok: false; reason: 'another_open'; actionId: number }
  | { ok: false; reason: 'not_sent'; sent: Extract<SendResult, { ok: false }> };

/**
 * Stores a step of a start as an action of its own and sends it. The start was approved by a second person where that was needed, so a step isn't again unless
 * it says so.
 */
export async function pressStep(context: GameContext, actor: Actor, start: ActionJob, step: Step, sender: Sender): Promise<StepResult> {
  const { db, gameId } = context.game;
  const { kind, request, transactionId, deviceCode, phone = '' } = step;
  const { content } = start;
  const { destination: _, ...facts } = content.facts;
  const player = phone === '' ? null : await readPlayer(context, content.player_id);
  if (player !== null && player.kind !== 'player') return { ok: false, reason: 'moved_on' };
  const written = {
    reference: null,
    email: player?.subject.email ?? null,
    entered: phone,
    ...(deviceCode === undefined ? {} : { deviceCode }),
  };
  const body = Buffer.from(protocolOf(kind).writeDigested(request, written), 'utf8');
  const requested: ActionContent = {
    ...content,
    kind,
    reference: null,
    amount: null,
    facts: { ...facts, request },
    request_digest: sha256Of(body),
  };
  const stored = await insertAction(db, gameId, {
    content: requested,
    contentDigest: digestContent(requested),
    requestBytes: null,
    draftId: step.draftId,
    step: { parentId: start.actionId, transactionId },
    actor,
    isPolicyEnough: step.needsApproval !== true,
  });
  if (typeof stored === 'string') return { ok: false, reason: stored };
  // The same bytes, stored by a process that died before it sent them, are sent now.
  const isUnsent = 'openId' in stored && (await isUnsentStep(context, sender, stored.openId, requested));
  if ('openId' in stored && !isUnsent) return { ok: false, reason: 'another_open', actionId: stored.openId };
  const actionId = 'openId' in stored ? stored.openId : stored.actionId;
  const isNew = 'openId' in stored || stored.isNew;
  if (!isNew || step.needsApproval === true) return { ok: true, actionId, sent: null };
  const sent = await pressAction(context, actor, actionId, sender, phone);
  return sent.ok ? { ok: true, actionId, sent } : { ok: false, reason: 'not_sent', sent };
}

async function isUnsentStep(
  context: GameContext,
  sender: Sender,
  openId: number,
  { kind, request_digest }: ActionContent,
): Promise<boolean> {
  const open = await openActionPorts(context, sender).store.find(openId);
  return open?.state === 'approved' && open.content.kind === kind && open.content.request_digest.equals(request_digest);
}
