import { findAccountRefusal, findApproverRefusal } from '#lib/people/reads.ts';
import { compareMoney } from '../core/money.ts';
import { type Actor, may } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import type { RolesRefusal } from '../people/text.ts';
import { auditRefusal } from './audit-refusal.ts';
import { findRequestedRaise } from './reads.ts';
import { type AccountRefusal, ceilingOf, LIMITED, type Limited, type LimitName, parseLimit } from './rules/approval.ts';
import { recordLimit, recordRaise, recordRaiseDeclined } from './writes.ts';

export type LimitResult =
  | { ok: true /** A higher limit waits for a second person. */; isWaiting: boolean }
  | { ok: false; reason: 'not_allowed' | 'not_a_limit' | 'above_ceiling' | AccountRefusal };

/** Sets a limit of a game. A lower one applies at once; a higher one when a second person approves it. No limit exceeds its ceiling. */
export async function changeLimit(
  game: OpenGame,
  actor: Actor,
  { what, name, typed }: { what: Limited; name: LimitName; typed: string },
): Promise<LimitResult> {
  const amount = parseLimit(typed);
  if (amount === null) return { ok: false, reason: 'not_a_limit' };
  if (compareMoney(amount, ceilingOf(what, name)) > 0) return { ok: false, reason: 'above_ceiling' };
  const mayManage = may(actor.roles, 'people.manage');
  const stored = mayManage ? await recordLimit(game.db, { gameId: game.gameId, actor, what, name, amount }) : null;
  if (stored !== null) return { ok: true, isWaiting: stored === 'waits' };
  const attempt = { actor, gameId: game.gameId, what: 'to change a limit', subject: LIMITED[what].subject };
  const reason = (await findAccountRefusal(game.db, actor.id, 'people.manage')) ?? 'not_allowed';
  return await auditRefusal(game.db, attempt, { ok: false, reason });
}

export interface Raise {
  what: Limited;
  name: LimitName;
  amount: string;
}

export type RaiseDecided = { ok: true } | { ok: false; reason: RolesRefusal };

/** A second person approves a higher limit exactly as shown; it then applies. */
export async function approveRaise(game: OpenGame, actor: Actor, raise: Raise): Promise<RaiseDecided> {
  const attempt = { actor, gameId: game.gameId, what: 'approval of a higher limit', subject: LIMITED[raise.what].subject };
  return await auditRefusal(game.db, attempt, await approve(game, actor, raise));
}

async function approve(game: OpenGame, actor: Actor, raise: Raise): Promise<RaiseDecided> {
  const raised = await findRequestedRaise(game.db, raise.what, game.gameId, raise.name);
  if (raised === null || raised.amount !== raise.amount) return { ok: false, reason: 'moved_on' };
  if (raised.by === actor.id) return { ok: false, reason: 'same_person' };
  const findRefusal = () => findApproverRefusal(game.db, actor.id, { right: LIMITED[raise.what].approve, preparerId: raised.by });
  const refusal = await findRefusal();
  if (refusal !== null) return { ok: false, reason: refusal };
  const isApproved = await recordRaise(game.db, { gameId: game.gameId, actor, ...raise });
  return isApproved ? { ok: true } : { ok: false, reason: (await findRefusal()) ?? 'moved_on' };
}

/** Ends a pending raise: its requester withdraws it, or someone who may approve and whose account counts rejects it. */
export async function declineRaise(game: OpenGame, actor: Actor, raise: Raise): Promise<RaiseDecided> {
  const attempt = { actor, gameId: game.gameId, what: 'rejection of a higher limit', subject: LIMITED[raise.what].subject };
  return await auditRefusal(game.db, attempt, await decline(game, actor, raise));
}

async function decline(game: OpenGame, actor: Actor, raise: Raise): Promise<RaiseDecided> {
  const { approve: right } = LIMITED[raise.what];
  if (!may(actor.roles, right) && !may(actor.roles, 'people.manage')) return { ok: false, reason: 'not_allowed' };
  if (await recordRaiseDeclined(game.db, { gameId: game.gameId, actor, ...raise })) return { ok: true };
  const raised = await findRequestedRaise(game.db, raise.what, game.gameId, raise.name);
  const isOther = raised?.amount === raise.amount && raised.by !== actor.id;
  return { ok: false, reason: (isOther ? await findAccountRefusal(game.db, actor.id, right) : null) ?? 'moved_on' };
}
