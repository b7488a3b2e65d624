import { findAccountRefusal } from '#lib/people/reads.ts';
import { type Actor, may } from '../core/roles.ts';
import { isPrivate, parseTypedNote, WHY_LENGTH_MAX } from '../core/typed-input.ts';
import type { OpenGame } from '../games/open-game.ts';
import { auditRefusal } from './audit-refusal.ts';
import { type AccountRefusal, PAUSABLES, type Pausable, type PauseRefusal, type Resumed, type ResumeRefusal } from './rules/approval.ts';
import { type AfterRestore, recordPause, recordResume } from './writes.ts';

type PauseResult = { ok: true } | { ok: false; reason: PauseRefusal };

/** Pauses refunds or desk actions of a game. Anyone who may request them may pause them. */
export async function pause(
  game: OpenGame,
  actor: Actor,
  { what, why }: { what: Exclude<Pausable, 'payouts'>; why: string },
): Promise<PauseResult> {
  if (!may(actor.roles, PAUSABLES[what].pause)) return { ok: false, reason: 'not_allowed' };
  const typed = parseTypedNote(why, WHY_LENGTH_MAX);
  if (!typed.ok) return { ok: false, reason: `why_${typed.reason}` };
  // Every page of the game shows it.
  if (isPrivate(typed.text)) return { ok: false, reason: 'why_private' };
  const isNew = await recordPause(game.db, { gameId: game.gameId, actor, what, why: typed.text });
  return isNew ? { ok: true } : { ok: false, reason: 'already_paused' };
}

export type ResumeResult<Blocker = never> = { ok: true; is: Resumed } | { ok: false; reason: ResumeRefusal | AccountRefusal | Blocker };

/**
 * Resumes what is paused. Two people who may approve are needed: the first requests it, the second resumes. `version`: the pause and its request as
 * they saw them.
 */
export async function resume<Blocker extends string = never>(
  game: OpenGame,
  actor: Actor,
  { what, version }: { what: Pausable; version: string },
  afterRestore?: AfterRestore<Blocker>,
): Promise<ResumeResult<Blocker>> {
  const attempt = { actor, gameId: game.gameId, what: `to resume ${what}`, subject: what };
  const answer = async (): Promise<ResumeResult<Blocker>> => {
    const { capability } = PAUSABLES[what];
    if (!may(actor.roles, capability)) return { ok: false, reason: 'not_allowed' };
    const refusal = await findAccountRefusal(game.db, actor.id, capability);
    if (refusal !== null) return { ok: false, reason: refusal };
    const result = await recordResume(game.db, { gameId: game.gameId, actor, what, version }, afterRestore);
    if (result.ok || result.reason !== 'not_allowed') return result;
    // What was read before no longer held when it was stored.
    return { ok: false, reason: (await findAccountRefusal(game.db, actor.id, capability)) ?? result.reason };
  };
  return await auditRefusal(game.db, attempt, await answer());
}
