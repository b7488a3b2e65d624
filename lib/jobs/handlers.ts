import { wakeOverdue } from '#db/jobs/writes.ts';
import type { Config, GameConfig } from '../config.ts';
import type { OpenGame } from '../games/open-game.ts';
import { requestDemoRefunds } from '../refunds/request-demo-refunds.ts';
import type { JobHandler, Queue } from './engine.ts';
import { runNextPull, schedulePulls } from './pulls.ts';
import { compareWithReports, settleDueRefunds } from './refunds.ts';

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
