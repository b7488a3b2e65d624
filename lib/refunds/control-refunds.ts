import { type ResumeResult, resume } from '../approvals/pause.ts';
import type { AfterRestore } from '../approvals/writes.ts';
import type { Actor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { checkAfterRestore, isSendingSinceBefore } from './writes/restores.ts';

type ResumeRefundsResult = ResumeResult<'still_sending'>;

/** Resumes the sending of refunds: see `resume`. */
export async function resumeRefunds(game: OpenGame, actor: Actor, version: string): Promise<ResumeRefundsResult> {
  return await resume(game, actor, { what: 'refunds', version }, AFTER_RESTORE);
}

/**
 * After a restore, refunds don't resume while one from before it is being sent: without an answer it would be sent again, not read. What was tried
 * before the backup may have been made since: its period is read, and nothing is sent before. The others are read anyway.
 */
const AFTER_RESTORE: AfterRestore<'still_sending'> = {
  findBlocker: async (tx, gameId, restoreNo) => {
    const isSending = await isSendingSinceBefore(tx, gameId, restoreNo);
    return isSending ? 'still_sending' : null;
  },
  finish: checkAfterRestore,
};
