import type { Db } from '#db/kit/open.ts';
import { addMonths, type Month, monthOf, monthWindow } from '#lib/core/month.ts';
import { askWithin, type GameContext } from '#lib/games/game-context.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import { PULL_CALLS_A_MINUTE } from '#lib/games/shared-budget.ts';
import { readAttributionReport } from '#lib/invo/routes/attribution-report.ts';
import { findPullSchedule, listPulledMonths } from '../reads/pull-schedule.ts';
import { listDuePulls } from '../rules/due-pulls.ts';

import { insertFirstMonth, SCHEDULE, setPullsPaused } from '../writes/pull-queue.ts';
import { PAGE_RECIPIENTS_MAX } from './pull-session.ts';
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

/** What pulling a game's history is likely to take. */
export interface HistoryEstimate {
  months: number;
  calls: number;
  /** At the rate Sharebook allows itself. */
  minutes: number;
  /** The month it was estimated by, and the recipients Invo reports for it. */
  basedOn: Month;
  recipientCount: number;
}

/**
 * Reads from Invo how many recipients the last full month has, in one call, and estimates by it: a page of a hundred recipients is one call. Months with
 * more recipients, or with recipients of more than 500 lines, take more. Errors: InvoError.
 */
export async function estimateHistory({ game, config }: GameContext, months: number): Promise<HistoryEstimate> {
  const basedOn = addMonths(monthOf(game.now(), game.timeZone), -1);
  const window = monthWindow(basedOn, game.timeZone);
  const { value } = await askWithin({ game, config }, {}, (invo, signal) =>
    readAttributionReport(invo, { start: window.start, end: window.end, limit: 1 }, signal),
  );
  const recipientCount = value.pagination.total_count;
  const calls = months * Math.max(1, Math.ceil(recipientCount / PAGE_RECIPIENTS_MAX));
  return { months, calls, minutes: Math.ceil(calls / PULL_CALLS_A_MINUTE), basedOn, recipientCount };
}
