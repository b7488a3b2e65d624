import type { Db } from '#db/kit/open.ts';
import type { ResumeResult } from '#lib/approvals/pause.ts';
import type { Actor } from '#lib/core/roles.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import { resumeRefunds } from '#lib/refunds/control-refunds.ts';
import { findRefundPause } from '#lib/refunds/reads/refund-preconditions.ts';

/** The version of the pause in force, as a page shows it now; empty without one. */
export async function pauseVersion(db: Db, gameId: number): Promise<string> {
  return (await findRefundPause(db, gameId))?.version ?? '';
}

/** Requests that refunds resume, or resumes them, as a person does who opens the page now. */
export async function resumeAsShown(game: OpenGame, actor: Actor): Promise<ResumeResult<'still_sending'>> {
  return await resumeRefunds(game, actor, await pauseVersion(game.db, game.gameId));
}
