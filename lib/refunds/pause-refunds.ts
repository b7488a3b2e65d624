import { type ResumeResult, resume } from '../approvals/resume.ts';
import type { Actor } from '../core/roles.ts';
import { may } from '../core/roles.ts';
import { parseTypedNote, WHY_LENGTH_MAX } from '../core/typed-input.ts';
import type { OpenGame } from '../games/open-game.ts';
import { AFTER_RESTORE, recordPause } from './writes/refund-controls.ts';

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
