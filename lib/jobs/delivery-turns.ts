import { runDue } from '#db/kit/lease.ts';
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
