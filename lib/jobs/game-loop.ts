import { runDue } from '#db/kit/lease.ts';
import type { GameContext } from '#lib/games/game-context.ts';
import type { logEvent } from '#lib/observability/log.ts';
import { readForDeliveries } from '#lib/webhooks/read-for-deliveries.ts';
import { wakeDueReads } from '#lib/webhooks/writes/delivery-reads.ts';
import type { Config, GameConfig } from '../config.ts';
import { messageOf } from '../core/strings.ts';
import type { OpenGame } from '../games/open-game.ts';

export interface GameLoopOptions {
  open: (config: GameConfig) => Promise<OpenGame>;
  signal: AbortSignal;
  log: (event: string, fields: Parameters<typeof logEvent>[2]) => void;
}

/** Runs work on one game, by its id, or on all. */
type GameLoop = (gameId: number | null, run: (game: OpenGame, gameConfig: GameConfig) => Promise<void>) => Promise<void>;

/**
 * A loop over the configured games. An error is logged with the name of its game and delays no other game. Ids of games never change
 * and are remembered: among a thousand games, a job for one opens that one.
 */
export function createGameLoop({ games }: Pick<Config, 'games'>, { open, signal, log }: GameLoopOptions): GameLoop {
  const gameIds = new Map<GameConfig, number>();
  return async (gameId, run) => {
    const known = games.find((gameConfig) => gameIds.get(gameConfig) === gameId);
    for (const gameConfig of known ? [known] : games) {
      try {
        const game = await open(gameConfig);
        gameIds.set(gameConfig, game.gameId);
        if (gameId === null || game.gameId === gameId) await run(game, gameConfig);
      } catch (error) {
        if (!signal.aborted) log('error', { game: gameConfig.slug, message: messageOf(error) });
      }
    }
  };
}

/**
 * Runs the work of one game one after another: its pulls share a rate limit, and a process works on one of them at a time. Work that is requested
 * meanwhile is done once more at the end, by the running one: the caller doesn't wait, and other games have their turn.
 */
export function createGameGuard(): (gameId: number, work: () => Promise<void>) => Promise<void> {
  const isRequestedAgain = new Map<number, boolean>();
  return async (gameId, work) => {
    if (isRequestedAgain.has(gameId)) {
      isRequestedAgain.set(gameId, true);
      return;
    }
    try {
      do {
        isRequestedAgain.set(gameId, false);
        await work();
      } while (isRequestedAgain.get(gameId) === true);
    } finally {
      isRequestedAgain.delete(gameId);
    }
  };
}

/** Readings of one game before another game has its turn. */
const READINGS_A_TURN = 10;

/**
 * Makes readings that deliveries of a game opened, one after the other, until none is due or its turn is over. What is still due then waits behind the
 * games that wait already, so endless deliveries of one hold up no other.
 */
export function createDeliveryReader({ signal, log }: Pick<GameLoopOptions, 'signal' | 'log'>): (context: GameContext) => Promise<void> {
  const readers = new Set<number>();
  async function readNext(context: GameContext): Promise<boolean> {
    const started_at = performance.now();
    const read = await readForDeliveries(context);
    if (read === null) return false;
    const { kind, attemptCount, result } = read;
    log('delivery read', { game: context.game.slug, kind, attemptCount, ...result, ms: Math.round(performance.now() - started_at) });
    return true;
  }
  return async (context) => {
    const { gameId } = context.game;
    // The running one wakes the game again for what became due meanwhile.
    if (readers.has(gameId)) return;
    readers.add(gameId);
    try {
      await runDue(signal, () => readNext(context), READINGS_A_TURN);
    } finally {
      readers.delete(gameId);
    }
    await wakeDueReads(context.game.db, gameId);
  };
}
