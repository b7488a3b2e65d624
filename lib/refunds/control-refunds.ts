import { findAccountRefusal, findApproverRefusal } from '#lib/people/reads.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import { type ResumeResult, resume } from '../approvals/resume.ts';
import { type AccountRefusal, parseLimit } from '../approvals/rules/approval.ts';
import { compareMoney } from '../core/money.ts';
import { type Actor, may } from '../core/roles.ts';
import { parseTypedNote, WHY_LENGTH_MAX } from '../core/typed-input.ts';
import type { OpenGame } from '../games/open-game.ts';
import type { RolesRefusal } from '../people/text.ts';
import { findRequestedRaise } from './reads/refund-limits.ts';
import { ALL_REFUNDS } from './rules/audit-actions.ts';
import { ceilingOf, type LimitName } from './rules/limits.ts';
import { AFTER_RESTORE, recordLimit, recordPause, recordRaise, recordRaiseDeclined } from './writes/refund-controls.ts';

export type PauseResult =
  | { ok: true; is: 'paused' }
  | { ok: false; reason: 'not_allowed' | 'why_missing' | 'why_too_long' | 'already_paused' };

/** Pauses the sending of refunds of a game. Anyone who may request refunds may pause them. */
export async function pauseRefunds(game: OpenGame, actor: Actor, why: string): Promise<PauseResult> {
  if (!may(actor.roles, 'refunds.request')) return { ok: false, reason: 'not_allowed' };
  const typed = parseTypedNote(why, WHY_LENGTH_MAX);
  if (!typed.ok) return { ok: false, reason: `why_${typed.reason}` };
  const isNew = await recordPause(game.db, { gameId: game.gameId, actor, why: typed.text });
  return isNew ? { ok: true, is: 'paused' } : { ok: false, reason: 'already_paused' };
}

/** Resumes the sending of refunds: see `resume`. */
export async function resumeRefunds(game: OpenGame, actor: Actor, version: string): Promise<ResumeResult<'still_sending'>> {
  return await resume(game, actor, { what: 'refunds', version }, AFTER_RESTORE);
}

export type LimitResult =
  | { ok: true /** A higher limit waits for a second person. */; isWaiting: boolean }
  | { ok: false; reason: 'not_allowed' | 'not_a_limit' | 'above_ceiling' | AccountRefusal };

/** Sets a limit of a game. A lower one applies at once; a higher one when a second person approves it. No limit exceeds its ceiling. */
export async function changeLimit(game: OpenGame, actor: Actor, { name, typed }: { name: LimitName; typed: string }): Promise<LimitResult> {
  const limit_usd = parseLimit(typed);
  if (limit_usd === null) return { ok: false, reason: 'not_a_limit' };
  if (compareMoney(limit_usd, ceilingOf(name)) > 0) return { ok: false, reason: 'above_ceiling' };
  const mayManage = may(actor.roles, 'people.manage');
  const stored = mayManage ? await recordLimit(game.db, { gameId: game.gameId, actor, name, limit_usd }) : null;
  if (stored !== null) return { ok: true, isWaiting: stored === 'waits' };
  const attempt = { actor, gameId: game.gameId, what: 'to change a limit', subject: ALL_REFUNDS };
  const reason = (await findAccountRefusal(game.db, actor.id, 'people.manage')) ?? 'not_allowed';
  return await auditRefusal(game.db, attempt, { ok: false, reason });
}

export type RaiseDecided = { ok: true } | { ok: false; reason: RolesRefusal };

/** A second person approves a higher limit exactly as shown; it then applies. */
export async function approveRaise(game: OpenGame, actor: Actor, raise: { name: LimitName; limit_usd: string }): Promise<RaiseDecided> {
  const attempt = { actor, gameId: game.gameId, what: 'approval of a higher limit', subject: ALL_REFUNDS };
  return await auditRefusal(game.db, attempt, await approve(game, actor, raise));
}

async function approve(game: OpenGame, actor: Actor, raise: { name: LimitName; limit_usd: string }): Promise<RaiseDecided> {
  const raised = await findRequestedRaise(game.db, game.gameId, raise.name);
  if (raised === null || raised.raise_usd !== raise.limit_usd) return { ok: false, reason: 'moved_on' };
  if (raised.by === actor.id) return { ok: false, reason: 'same_person' };
  const findRefusal = () => findApproverRefusal(game.db, actor.id, { right: 'refunds.approve', preparerId: raised.by });
  const refusal = await findRefusal();
  if (refusal !== null) return { ok: false, reason: refusal };
  const isApproved = await recordRaise(game.db, { gameId: game.gameId, actor, ...raise });
  return isApproved ? { ok: true } : { ok: false, reason: (await findRefusal()) ?? 'moved_on' };
}

/** Ends a pending raise: its requester withdraws it, or someone who may approve and whose account counts rejects it. */
export async function declineRaise(game: OpenGame, actor: Actor, raise: { name: LimitName; limit_usd: string }): Promise<RaiseDecided> {
  const attempt = { actor, gameId: game.gameId, what: 'rejection of a higher limit', subject: ALL_REFUNDS };
  return await auditRefusal(game.db, attempt, await decline(game, actor, raise));
}

async function decline(game: OpenGame, actor: Actor, raise: { name: LimitName; limit_usd: string }): Promise<RaiseDecided> {
  if (!may(actor.roles, 'refunds.approve') && !may(actor.roles, 'people.manage')) return { ok: false, reason: 'not_allowed' };
  if (await recordRaiseDeclined(game.db, { gameId: game.gameId, actor, ...raise })) return { ok: true };
  const raised = await findRequestedRaise(game.db, game.gameId, raise.name);
  const isOther = raised?.raise_usd === raise.limit_usd && raised.by !== actor.id;
  return { ok: false, reason: (isOther ? await findAccountRefusal(game.db, actor.id, 'refunds.approve') : null) ?? 'moved_on' };
}
