import { listPulledMonths } from '#db/evidence/reads/months.ts';
import { monthWindow } from '../core/month.ts';
import { requestPull } from '../evidence/pull/request-pull.ts';
import { listDuePulls } from '../evidence/rules/due-pulls.ts';
import type { GameAtWork } from '../games/game.ts';

/** Asks for every month of a game that is due. Asking twice does no harm: one pull of a window is at work at a time. */
export async function schedulePulls(game: GameAtWork, isSimulated: boolean): Promise<void> {
  const now = game.now();
  const pulled = await listPulledMonths(game.db, game.gameId, game.timeZone);
  for (const month of listDuePulls(now, { timeZone: game.timeZone, settleLag_minutes: game.settleLag_minutes, isSimulated }, pulled)) {
    await requestPull(game.db, {
      gameId: game.gameId,
      window: monthWindow(month, game.timeZone),
      isFresh: false,
      requestedBy: 'schedule',
      now,
      settleLag_minutes: game.settleLag_minutes,
    });
  }
}
