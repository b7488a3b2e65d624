import { findApprover } from '#db/people/reads.ts';
import { findAskedRaise } from '#db/refunds/reads/refund-limits.ts';
import { recordLimit, recordRaise, recordRaiseDeclined } from '#db/refunds/writes/limits.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import { parseLimit, standingRefusalOf } from '../approvals/rules/approval.ts';
import { compareMoney } from '../core/money.ts';
import { type Actor, may } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import type { RolesRefusal } from '../people/text.ts';
import { ALL_REFUNDS } from './rules/audit-actions.ts';
import { ceilingOf, type LimitName, limitNamed } from './rules/limits.ts';

export type LimitResult =
  | { ok: true /** `now`, or the time from which a higher limit applies if nobody approves it sooner. */; appliesFrom: 'now' | string }
  | { ok: false; reason: 'not_allowed' | 'not_a_limit' | 'above_ceiling' };

/**
 * Sets a limit of a game. A lower one applies at once; a higher one when a second person approves it, or after `approverWait_hours`. No limit
 * exceeds its ceiling.
 */
export async function changeLimit(
  game: OpenGame,
  actor: Actor,
  { name, typed, approverWait_hours }: { name: LimitName; typed: string; approverWait_hours: number },
): Promise<LimitResult> {
  const limit_usd = parseLimit(typed);
  if (limit_usd === null) return { ok: false, reason: 'not_a_limit' };
  if (compareMoney(limit_usd, ceilingOf(name)) > 0) return { ok: false, reason: 'above_ceiling' };
  if (!may(actor.roles, 'people.manage')) return { ok: false, reason: 'not_allowed' };
  const stored = await recordLimit(game.pool, {
    gameId: game.gameId,
    actor,
    name,
    limit_usd,
    default_usd: limitNamed(name, {}),
    raiseAfter_hours: approverWait_hours,
  });
  return stored === null ? { ok: false, reason: 'not_allowed' } : { ok: true, ...stored };
}

export type RaiseDecided = { ok: true } | { ok: false; reason: RolesRefusal };

/** A second person approves a higher limit exactly as shown; it then applies at once. */
export async function approveRaise(game: OpenGame, actor: Actor, raise: { name: LimitName; limit_usd: string }): Promise<RaiseDecided> {
  const attempt = { actor, gameId: game.gameId, what: 'approval of a higher limit', subject: ALL_REFUNDS };
  return await auditRefusal(game.db, attempt, await approve(game, actor, raise));
}

async function approve(game: OpenGame, actor: Actor, raise: { name: LimitName; limit_usd: string }): Promise<RaiseDecided> {
  const asked = await findAskedRaise(game.db, game.gameId, raise.name);
  if (asked === null || asked.raise_usd !== raise.limit_usd) return { ok: false, reason: 'moved_on' };
  if (asked.by === actor.id) return { ok: false, reason: 'same_person' };
  const approver = await findApprover(game.db, actor.id, asked.by);
  if (approver === null || !may(approver.roles, 'refunds.approve')) return { ok: false, reason: 'not_allowed' };
  const refusal = standingRefusalOf(approver.standing);
  if (refusal !== null) return { ok: false, reason: refusal };
  const isApproved = await recordRaise(game.pool, { gameId: game.gameId, actor, ...raise });
  return isApproved ? { ok: true } : { ok: false, reason: 'moved_on' };
}

/** Ends a raise before it applies: who asked for it withdraws it, someone who may approve rejects it. */
export async function declineRaise(game: OpenGame, actor: Actor, raise: { name: LimitName; limit_usd: string }): Promise<RaiseDecided> {
  if (!may(actor.roles, 'refunds.approve') && !may(actor.roles, 'people.manage')) return { ok: false, reason: 'not_allowed' };
  const isDeclined = await recordRaiseDeclined(game.pool, { gameId: game.gameId, actor, ...raise });
  return isDeclined ? { ok: true } : { ok: false, reason: 'moved_on' };
}
