import { listPulledMonths } from '#db/evidence/reads/months.ts';
import { findPullJob } from '#db/evidence/reads/pulls.ts';
import { claimPull } from '#db/evidence/writes/pull-queue.ts';
import type { GameConfig } from '../config.ts';
import { monthWindow } from '../core/month.ts';
import { requestPull } from '../evidence/pull/request-pull.ts';
import { runPull } from '../evidence/pull/run-pull.ts';
import { listDuePulls } from '../evidence/rules/due-pulls.ts';
import type { OpenGame } from '../games/open-game.ts';

/** Requests every month of a game that is due. Requesting twice does no harm: a window has one pull at work at a time. */
export async function schedulePulls(game: OpenGame, isSimulated: boolean): Promise<void> {
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

/** Runs one waiting pull of a game under a lease. False when there is none, or it is at work elsewhere. */
export async function runNextPull(
  game: OpenGame,
  config: GameConfig,
  owner: string,
  { signal, log }: { signal: AbortSignal; log: (line: string) => void },
): Promise<boolean> {
  const lease = await claimPull(game.db, owner, { gameIds: [game.gameId] });
  if (lease === null) return false;
  const { window } = await findPullJob(game.db, lease.gameId, lease.pullId);
  const subject = `${game.slug} ${window.start.slice(0, 10)} to ${window.end.slice(0, 10)}`;
  let waiting: string | null = null;
  const run = await runPull(game, config, lease, {
    signal,
    onProgress: ({ calls, plannedCalls, waitingUntil }) => {
      if (waitingUntil !== null && waitingUntil.slice(0, 19) !== waiting)
        log(`${subject}: ${calls} of ${plannedCalls} calls, waiting for the rate limit until ${waitingUntil.slice(11, 19)} UTC`);
      waiting = waitingUntil?.slice(0, 19) ?? null;
    },
  });
  const { calls, lines } = await findPullJob(game.db, lease.gameId, lease.pullId);
  log(run.ended === 'failed' ? `${subject}: ${run.sentence}` : `${subject}: pulled, ${calls} calls, ${lines} lines`);
  return true;
}
