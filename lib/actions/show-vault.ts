import { auditRefusal } from '../approvals/audit-refusal.ts';
import { type Actor, may } from '../core/roles.ts';
import type { GameContext, InvoFailure } from '../games/game-context.ts';
import type { LoyaltyOffer, VaultEntry } from '../invo/routes/loyalty-of-player.ts';
import { readOffersAndVault } from '../players/act-as-player.ts';
import { readPlayer } from '../players/read-player.ts';
import { isOnNow } from './reads/action-controls.ts';
import type { ActionBlocker } from './rules/action-facts.ts';

export type ShownVault =
  | { ok: true; offers: (LoyaltyOffer | null)[]; vault: (VaultEntry | null)[] }
  | { ok: false; reason: 'not_allowed' | 'switched_off' | ActionBlocker }
  | { ok: false; reason: 'no_answer'; error: InvoFailure };

/** Reads the programs and rewards of a player as the player, those of programs that are over too, for a person who may redeem them. Nothing of it is stored. */
export async function showVault(context: GameContext, actor: Actor, playerId: number): Promise<ShownVault> {
  const { db, gameId } = context.game;
  const attempt = { actor, gameId, what: 'to read as a player', subject: `player ${playerId}` };
  if (!may(actor.roles, 'actions.request')) return await auditRefusal(db, attempt, { ok: false, reason: 'not_allowed' });
  if (!(await isOnNow(db, gameId, 'rewards'))) return { ok: false, reason: 'switched_off' };
  const player = await readPlayer(context, playerId);
  if (player.kind !== 'player') return { ok: false, reason: player.kind === 'unknown' ? 'unknown_player' : player.kind };
  const read = await readOffersAndVault(context, player, { actor, purpose: 'to read the vault' });
  if (read.ok) return { ok: true, ...read.value };
  return read.error === 'no_identity' ? { ok: false, reason: 'no_identity' } : { ok: false, reason: 'no_answer', error: read.error };
}
