import { recordPause, recordRefundLimit, recordResume } from '#db/refunds/writes/refund-controls.ts';
import { parseLimit } from '../approvals/rules/approval.ts';
import type { Actor } from '../core/roles.ts';
import { may } from '../core/roles.ts';
import { parseTypedText, WHY_LENGTH_MAX } from '../core/typed-input.ts';
import type { OpenGame } from '../games/open-game.ts';
import type { LimitedRole } from './rules/limits.ts';

export type PauseResult =
  | { ok: true; is: 'paused' | 'resume_requested' | 'resumed' }
  | {
      ok: false;
      reason: 'not_allowed' | 'why_missing' | 'why_too_long' | 'already_paused' | 'not_paused' | 'same_person' | 'still_sending';
    };

/** Pauses the sending of refunds of a game. Anyone who may request refunds may pause them. */
export async function pauseRefunds(game: OpenGame, actor: Actor, why: string): Promise<PauseResult> {
  if (!may(actor.role, 'refunds.request')) return { ok: false, reason: 'not_allowed' };
  const typed = parseTypedText(why, WHY_LENGTH_MAX);
  if (typed === 'too_long') return { ok: false, reason: 'why_too_long' };
  if (typed.text === null) return { ok: false, reason: 'why_missing' };
  const isNew = await recordPause(game.pool, { gameId: game.gameId, actor, why: typed.text });
  return isNew ? { ok: true, is: 'paused' } : { ok: false, reason: 'already_paused' };
}

/** Resumes the sending of refunds. It takes two people who may approve: the first asks, the second resumes. */
export async function resumeRefunds(game: OpenGame, actor: Actor): Promise<PauseResult> {
  if (!may(actor.role, 'refunds.approve')) return { ok: false, reason: 'not_allowed' };
  const is = await recordResume(game.pool, { gameId: game.gameId, actor });
  return is === 'resume_requested' || is === 'resumed' ? { ok: true, is } : { ok: false, reason: is };
}

/** Sets the auto-approval limit of a role. False for an invalid amount, and without the right. */
export async function changeRefundLimit(game: OpenGame, actor: Actor, role: LimitedRole, typed: string): Promise<boolean> {
  const limit_usd = parseLimit(typed);
  if (!may(actor.role, 'people.manage') || limit_usd === null) return false;
  await recordRefundLimit(game.pool, { gameId: game.gameId, actor, role, limit_usd });
  return true;
}
