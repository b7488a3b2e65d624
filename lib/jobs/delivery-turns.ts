import { wakeDueReads } from '#lib/webhooks/writes/delivery-reads.ts';
import type { GameContext } from '../games/game-context.ts';
import { readForDeliveries } from '../webhooks/read-for-deliveries.ts';
import type { GameLoopOptions } from './game-loop.ts';

/** Readings of one game before another game has its turn. */
const READINGS_A_TURN = 10;

/**
 * Makes readings that deliveries of a game opened, one after the other, until none is due or its turn is over. What is still due then waits behind the
 * games that wait already, so endless deliveries of one hold up no other.
 */
export function createDeliveryReader({ signal, log }: Pick<GameLoopOptions, 'signal' | 'log'>): (context: GameContext) => Promise<void> {
  const readers = new Set<number>();
  return async (context) => {
    const { gameId, slug } = context.game;
    // The running one wakes the game again for what became due meanwhile.
    if (readers.has(gameId)) return;
    readers.add(gameId);
    try {
      for (let made = 0; made < READINGS_A_TURN && !signal.aborted; made += 1) {
        const started_at = performance.now();
        const read = await readForDeliveries(context);
        if (read === null) break;
        const { kind, attemptCount, result } = read;
        log('delivery read', { game: slug, kind, attemptCount, ...result, ms: Math.round(performance.now() - started_at) });
      }
    } finally {
      readers.delete(gameId);
    }
    await wakeDueReads(context.game.db, gameId);
  };
}
