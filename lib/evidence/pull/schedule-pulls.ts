import type { Db } from '#db/kit/open.ts';
import { addMonths, monthOf, monthWindow } from '#lib/core/month.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import { findPullSchedule, listPulledMonths } from '../reads/pull-schedule.ts';
import { listDuePulls } from '../rules/due-pulls.ts';
import { insertFirstMonth, setPullsPaused } from '../writes/change-schedule.ts';
import { SCHEDULE } from '../writes/pull-queue.ts';
import { requestPull } from './request-pull.ts';

/** Requests every month of a game that is due, unless scheduled pulls are paused. Requesting twice does no harm: a window has one running pull at a time. */
export async function schedulePulls(game: OpenGame, isSimulated: boolean): Promise<void> {
  const now = game.now();
  const { firstMonth, paused, readAt } = await findPullSchedule(game.db, game.gameId);
  if (paused !== null) return;
  const { timeZone, settleLag_minutes } = game;
  const pulled = await listPulledMonths(game.db, game.gameId, timeZone);
  for (const month of listDuePulls(now, readAt, { timeZone, settleLag_minutes, isSimulated, firstMonth }, pulled)) {
    await requestPull(game.db, {
      gameId: game.gameId,
      window: monthWindow(month, timeZone),
      isFresh: false,
      requestedBy: SCHEDULE,
      now,
      settleLag_minutes,
    });
  }
}

/** Starts to pull a game's history: so many months, the current one included. False: how far back was decided before. */
export async function startHistory(game: OpenGame, { months, actor }: { months: number; actor: string }): Promise<boolean> {
  const month = addMonths(monthOf(game.now(), game.timeZone), 1 - months);
  const isNew = await insertFirstMonth(game.db, { gameId: game.gameId, month, actor });
  if (isNew) await schedulePulls(game, false);
  return isNew;
}

/** Pauses the scheduled pulls of a game, or resumes them. A running pull is finished, and people's requests are pulled meanwhile. False: no change. */
export async function pausePulls(db: Db, change: { gameId: number; isPaused: boolean; actor: string }): Promise<boolean> {
  return await setPullsPaused(db, change);
}
