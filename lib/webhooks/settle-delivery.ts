import type { AuditAct } from '../audit/rules/acts.ts';
import type { Actor } from '../core/roles.ts';
import { may } from '../core/roles.ts';
import { parseTypedNote, WHY_LENGTH_MAX } from '../core/typed-input.ts';
import type { OpenGame } from '../games/open-game.ts';
import type { DeliveryState } from './rules/delivery.ts';
import { recordReadAgain, recordSettled } from './writes/delivery-reads.ts';

/** Why nothing was changed. */
export type SettleRefusal = 'not_allowed' | 'why_missing' | 'why_too_long' | 'settled_already' | 'nothing_to_read';
export type SettleResult = { ok: true } | { ok: false; reason: SettleRefusal };

/** What the audit records, as the end of a sentence that starts with a name. */
const SETTLE_ACTIONS: Record<'conflict' | 'other_game' | 'failing', AuditAct> = {
  conflict: 'settled a conflict',
  other_game: 'marked a delivery of another game as known',
  failing: 'marked a failing delivery as known',
};

/** Settles a delivery that needs a person: a conflict, one of another game, or one that can't be followed. */
export async function settleDelivery(
  game: OpenGame,
  actor: Actor,
  { deliveryId, state, why }: { deliveryId: number; state: DeliveryState; why: string },
): Promise<SettleResult> {
  if (!may(actor.roles, 'deliveries.settle')) return { ok: false, reason: 'not_allowed' };
  const typed = parseTypedNote(why, WHY_LENGTH_MAX);
  if (!typed.ok) return { ok: false, reason: `why_${typed.reason}` };
  if (state !== 'conflict' && state !== 'other_game' && state !== 'failing') return { ok: false, reason: 'settled_already' };
  const settle = { gameId: game.gameId, deliveryId, actor, reason: typed.text, act: SETTLE_ACTIONS[state] };
  return (await recordSettled(game.db, settle)) ? { ok: true } : { ok: false, reason: 'settled_already' };
}

/** Has what a delivery opened read again now. */
export async function readDeliveryAgain(game: OpenGame, actor: Actor, deliveryId: number): Promise<SettleResult> {
  if (!may(actor.roles, 'deliveries.settle')) return { ok: false, reason: 'not_allowed' };
  const isRequested = await recordReadAgain(game.db, { gameId: game.gameId, deliveryId, actor });
  return isRequested ? { ok: true } : { ok: false, reason: 'nothing_to_read' };
}
