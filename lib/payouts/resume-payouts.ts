import { findAccountRefusal } from '#lib/people/reads.ts';
import { auditRefusal } from '../approvals/audit-refusal.ts';
import type { AccountRefusal } from '../approvals/rules/approval.ts';
import { type Actor, may } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { ALL_PAYOUTS } from './reads/payout-pause.ts';
import { recordPayoutResume } from './writes/payout-pauses.ts';

/** Why nothing is started, submitted or approved after a restore. */
export const PAYOUTS_PAUSED = 'Payouts are paused, because the database was restored from a backup. The Payouts page says what to check.';

export type ResumePayouts =
  | { ok: true; is: 'resume_requested' | 'resumed' }
  | { ok: false; reason: 'not_allowed' | AccountRefusal | 'not_paused' | 'not_as_shown' | 'same_person' };

/** Resumes payouts after a restore. Two people who may approve are needed: the first requests it, the second resumes. A requester
 * whose account no longer counts is replaced by the next one. `version`: the pause and its request as they saw them. */
export async function resumePayouts(game: OpenGame, actor: Actor, version: string): Promise<ResumePayouts> {
  const attempt = { actor, gameId: game.gameId, what: 'to resume payouts', subject: ALL_PAYOUTS };
  return await auditRefusal(game.db, attempt, await resume(game, actor, version));
}

async function resume(game: OpenGame, actor: Actor, version: string): Promise<ResumePayouts> {
  if (!may(actor.roles, 'payouts.approve')) return { ok: false, reason: 'not_allowed' };
  const refusal = await findAccountRefusal(game.db, actor.id, 'payouts.approve');
  if (refusal !== null) return { ok: false, reason: refusal };
  const is = await recordPayoutResume(game.db, { gameId: game.gameId, actor, version });
  if (is === 'resume_requested' || is === 'resumed') return { ok: true, is };
  // What was read before no longer held when it was stored.
  return { ok: false, reason: is === 'not_allowed' ? ((await findAccountRefusal(game.db, actor.id, 'payouts.approve')) ?? is) : is };
}
