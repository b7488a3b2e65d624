import { findAccountRefusal } from '#lib/people/reads.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import type { AccountRefusal } from '../approvals/rules/approval.ts';
import type { Actor } from '../core/roles.ts';
import { may } from '../core/roles.ts';
import { parseTypedText, WHY_LENGTH_MAX } from '../core/typed-input.ts';
import type { OpenGame } from '../games/open-game.ts';
import { ALL_REFUNDS } from './rules/audit-actions.ts';
import { recordPause, recordResume } from './writes/refund-controls.ts';

export type PauseResult =
  | { ok: true; is: 'paused' | 'resume_requested' | 'resumed' }
  | {
      ok: false;
      reason:
        | 'not_allowed'
        | AccountRefusal
        | 'why_missing'
        | 'why_too_long'
        | 'already_paused'
        | 'not_paused'
        | 'not_as_shown'
        | 'same_person'
        | 'still_sending';
    };

/** Pauses the sending of refunds of a game. Anyone who may request refunds may pause them. */
export async function pauseRefunds(game: OpenGame, actor: Actor, why: string): Promise<PauseResult> {
  if (!may(actor.roles, 'refunds.request')) return { ok: false, reason: 'not_allowed' };
  const typed = parseTypedText(why, WHY_LENGTH_MAX);
  if (typed === 'too_long') return { ok: false, reason: 'why_too_long' };
  if (typed.text === null) return { ok: false, reason: 'why_missing' };
  const isNew = await recordPause(game.db, { gameId: game.gameId, actor, why: typed.text });
  return isNew ? { ok: true, is: 'paused' } : { ok: false, reason: 'already_paused' };
}

/**
 * Resumes the sending of refunds. Two people who may approve are needed: the first requests it, the second resumes. A requester whose account no longer
 * counts is replaced by the next one. `version`: the pause and its request as they saw them.
 */
export async function resumeRefunds(game: OpenGame, actor: Actor, version: string): Promise<PauseResult> {
  const attempt = { actor, gameId: game.gameId, what: 'to resume refunds', subject: ALL_REFUNDS };
  return await auditRefusal(game.db, attempt, await resume(game, actor, version));
}

async function resume(game: OpenGame, actor: Actor, version: string): Promise<PauseResult> {
  if (!may(actor.roles, 'refunds.approve')) return { ok: false, reason: 'not_allowed' };
  const refusal = await findAccountRefusal(game.db, actor.id, 'refunds.approve');
  if (refusal !== null) return { ok: false, reason: refusal };
  const is = await recordResume(game.db, { gameId: game.gameId, actor, version });
  if (is === 'resume_requested' || is === 'resumed') return { ok: true, is };
  // What was read before no longer held when it was stored.
  return { ok: false, reason: is === 'not_allowed' ? ((await findAccountRefusal(game.db, actor.id, 'refunds.approve')) ?? is) : is };
}
