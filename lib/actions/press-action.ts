import { auditRefusal } from '../approvals/audit-refusal.ts';
import { type Actor, may } from '../core/roles.ts';
import type { GameContext } from '../games/game-context.ts';
import { actionWire, type Sender } from './action-wire.ts';
import { holdPhone, isHeldForOwner, openAgreedPhone } from './phone-owner.ts';
import { findGrant } from './reads/find-grant.ts';
import type { ActionJob, ActionPorts } from './rules/action-ports.ts';
import { auditSubjectOf } from './rules/audit-acts.ts';
import { parseEntries, protocolOf } from './rules/protocols.ts';
import { type SendResult, sendAction } from './send-approved.ts';
import { openActionStore } from './writes/action-store.ts';
import { endGrant } from './writes/grant-rows.ts';

/** The store and the wire of a game's desk actions, for one process; without a person it acts as no player. */
export function openActionPorts(context: GameContext, sender: Sender, actor?: Actor): ActionPorts {
  const { db, gameId } = context.game;
  return { store: openActionStore(db, sender.owner, gameId), wire: actionWire(context, sender, actor) };
}

/**
 * A person sends an approved action, or the same bytes again where that is safe; the answer decides what they see. `typed`: what the kind has people enter at
 * each press; `typedPhone`: the player's phone, where the request takes one beside it.
 */
export async function pressAction(
  context: GameContext,
  actor: Actor,
  actionId: number,
  sender: Sender,
  typed = '',
  typedPhone = '',
): Promise<SendResult> {
  const { db, gameId } = context.game;
  const attempt = { actor, gameId, what: 'to send a desk action', subject: auditSubjectOf(actionId) };
  const press = async (): Promise<SendResult> => {
    if (!may(actor.roles, 'actions.request')) return { ok: false, reason: 'not_allowed' };
    const ports = openActionPorts(context, sender, actor);
    const job = await ports.store.find(actionId);
    if (job === null || (job.state !== 'approved' && job.state !== 'checking') || isSentByWorker(job))
      return { ok: false, reason: 'moved_on' };
    // Nothing is read for anybody else: what an action passes can need a token of its player.
    if (protocolOf(job.content.kind).isForRequester && job.requestedBy !== actor.id) return { ok: false, reason: 'not_allowed' };
    if (job.content.kind === 'receipt' && !(await isPhoneApproved(context, actionId))) return { ok: false, reason: 'not_approved' };
    const agreed = typed === '' ? await openAgreedPhone(context, job, sender.sealKey) : null;
    if (agreed !== null && 'ok' in agreed) return agreed;
    const { kind, facts } = job.content;
    const entries = parseEntries(kind, facts.request, { typed: agreed?.phone ?? typed, typedPhone });
    if (entries === undefined) return { ok: false, reason: 'other_entry' };
    const { entered } = entries;
    const sent = await sendAction(ports, job, { presser: actor, ...entries });
    if (job.content.kind === 'receipt' && sent.ok) await endGrant(db, gameId, job);
    const held = sent.ok && sent.state === 'approved' ? await ports.store.find(actionId) : null;
    if (held === null || entered === null || !isHeldForOwner(held)) return sent;
    // The owner agreed before: the same bytes once more, at once, and only once (document 3, Phone-share approval).
    if (held.result?.['already_approved'] === true) {
      const again = await sendAction(ports, held, { presser: actor, entered });
      if (!again.ok || again.state !== 'approved') return again;
    }
    if (sender.sealKey !== undefined) await holdPhone(context, held, entered, sender.sealKey);
    return sent;
  };
  return await auditRefusal(db, attempt, await press());
}

/** Whether a phone approved, within the window of its code. */
async function isPhoneApproved({ game }: GameContext, actionId: number): Promise<boolean> {
  const grant = await findGrant(game.db, game.gameId, actionId);
  return grant?.state === 'approved' && (grant.expiresAt === null || grant.now < grant.expiresAt);
}

function isSentByWorker({ content }: ActionJob): boolean {
  return protocolOf(content.kind).repeats === 'worker';
}
