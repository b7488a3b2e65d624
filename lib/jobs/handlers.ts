import { listPulledMonths } from '#db/evidence/reads/months.ts';
import { findPullJob } from '#db/evidence/reads/pulls.ts';
import { claimPull } from '#db/evidence/writes/pull-queue.ts';
import { wakeOverdue } from '#db/games/writes.ts';
import { flagReported, matchReversals } from '#db/refunds/writes/match-reversals.ts';
import { openRefundStore } from '#db/refunds/writes/refund-store.ts';
import type { Config, GameConfig } from '../config.ts';
import { monthWindow } from '../core/month.ts';
import { requestPull } from '../evidence/pull/request-pull.ts';
import { runPull } from '../evidence/pull/run-pull.ts';
import { listDuePulls } from '../evidence/rules/due-pulls.ts';
import { clientOf, type OpenGame } from '../games/open-game.ts';
import { advanceRefund } from '../refunds/advance-refund.ts';
import { refundWire } from '../refunds/refund-wire.ts';
import { requestDemoRefunds } from '../refunds/request-demo-refunds.ts';
import type { JobHandler, Queue } from './engine.ts';

const REFUND_CONCURRENCY = 3;

interface HandlerOptions {
  /** Opens a configured game. */
  open: (game: GameConfig) => Promise<OpenGame>;
  /** Holds the leases of this process. */
  owner: string;
  signal: AbortSignal;
  log: (line: string) => void;
}

/**
 * The work of each queue. A handler does everything that is due in the game of its job, so a burst of jobs costs one pass. Pulls and
 * refunds run beside each other: neither waits for the other's rate limit or for an answer Invo never sends.
 */
export function createHandlers(
  config: Pick<Config, 'games' | 'isSimulated' | 'hasDemoRefunds'>,
  options: HandlerOptions,
): Record<Queue, JobHandler> {
  const { owner, signal, log } = options;
  return {
    pull: {
      concurrency: 1,
      run: (gameId) =>
        forGames(config, options, gameId, async (game, gameConfig) => {
          while (!signal.aborted && (await runNextPull(game, gameConfig, owner, { signal, log }))) await compareWithReports(game);
        }),
    },
    refund: {
      concurrency: REFUND_CONCURRENCY,
      run: (gameId) => forGames(config, options, gameId, (game, gameConfig) => settleDueRefunds(game, gameConfig, owner, signal)),
    },
    tick: {
      concurrency: 1,
      run: () =>
        forGames(config, options, null, async (game, gameConfig) => {
          await schedulePulls(game, config.isSimulated);
          if (config.hasDemoRefunds) await requestDemoRefunds({ game, config: gameConfig }, config);
          await compareWithReports(game);
          await wakeOverdue(game.db, game.gameId);
        }),
    },
  };
}

/** Runs work on one configured game, or on all. An error is logged with the name of its game and keeps no other game waiting. */
async function forGames(
  { games }: Pick<Config, 'games'>,
  { open, signal, log }: HandlerOptions,
  gameId: number | null,
  run: (game: OpenGame, gameConfig: GameConfig) => Promise<void>,
): Promise<void> {
  for (const gameConfig of games) {
    try {
      const game = await open(gameConfig);
      if (gameId === null || game.gameId === gameId) await run(game, gameConfig);
    } catch (error) {
      if (!signal.aborted) log(`error in ${gameConfig.slug}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** Requests every month of a game that is due. Requesting twice does no harm: a window has one pull at work at a time. */
async function schedulePulls(game: OpenGame, isSimulated: boolean): Promise<void> {
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
async function runNextPull(
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

/** Settles the due refunds of a game, one step of one refund at a time, until none is due or `signal` says to stop. */
async function settleDueRefunds(game: OpenGame, config: GameConfig, owner: string, signal: AbortSignal): Promise<void> {
  const ports = {
    store: openRefundStore(game.pool, owner, [game.gameId]),
    wire: refundWire(game, clientOf(game, config, { asks: 'person' })),
    jitter: Math.random,
    businessNow: game.now,
    timeZone: game.timeZone,
  };
  while (!signal.aborted && (await advanceRefund(ports)));
}

/** Compares the refunds of a game with the pulled reports: the reversals that are expected, and those that nobody expects. */
async function compareWithReports({ pool, gameId }: Pick<OpenGame, 'pool' | 'gameId'>): Promise<void> {
  await matchReversals(pool, gameId);
  await flagReported(pool, gameId);
}
