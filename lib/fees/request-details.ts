import type { Db } from '#db/kit/open.ts';
import { monthOfWindow } from '#lib/core/month.ts';
import type { Window } from '#lib/core/window.ts';
import { findCurrentSnapshot } from '#lib/evidence/reads/snapshots.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import { findDetailMonth, listDueDetails } from './reads/detail-jobs.ts';
import type { DetailSetting } from './rules/detail-figures.ts';
import { insertDetailJob, setDetailSetting } from './writes/detail-queue.ts';

/** Requests the detail reports of a complete month, again if they were read before. A running job of the month is joined. */
export async function requestDetails(
  db: Db,
  { gameId, window, requestedBy }: { gameId: number; window: Window; requestedBy: string },
): Promise<{ ok: true } | { ok: false; reason: 'not_complete' }> {
  const snapshot = await findCurrentSnapshot(db, gameId, window);
  if (snapshot?.status !== 'complete') return { ok: false, reason: 'not_complete' };
  await insertDetailJob(db, { gameId, window, requestedBy, since: null });
  return { ok: true };
}

/**
 * Stores which reports are read for every month of a game, and requests those that this month now lacks. Reports read since the last job are reused.
 */
export async function chooseMonthDetails(
  db: Db,
  { gameId, window, requestedBy }: { gameId: number; window: Window; requestedBy: string },
  setting: DetailSetting,
): Promise<void> {
  await setDetailSetting(db, gameId, setting, requestedBy);
  const snapshot = await findCurrentSnapshot(db, gameId, window);
  if (snapshot?.status !== 'complete') return;
  const { job } = await findDetailMonth(db, gameId, window);
  await insertDetailJob(db, { gameId, window, requestedBy, since: job?.since ?? null });
}

/** Requests the detail reports of every month of a game that is due. Requesting twice does no harm: a month has one running job at a time. */
export async function scheduleDetails(game: Pick<OpenGame, 'db' | 'gameId' | 'timeZone'>): Promise<void> {
  for (const { window, since } of await listDueDetails(game.db, game.gameId)) {
    if (monthOfWindow(window, game.timeZone) === null) continue;
    await insertDetailJob(game.db, { gameId: game.gameId, window, requestedBy: 'schedule', since });
  }
}
