import { matchReversals, questionReported } from '../../db/refunds/match-reversals.ts';
import { openRefundStore } from '../../db/refunds/refund-store.ts';
import type { Config } from '../config.ts';
import { clientOf, type GameAtWork } from '../operations/game.ts';
import { refundWire } from '../operations/refund/refund-wire.ts';
import { settleRefund } from '../operations/refund/settle-refund.ts';

const MATCH_MS = 10_000;

/**
 * Makes the piece of work that settles refunds: one step with one due refund of each game, and every ten seconds a look at what pulled
 * months brought: the reversals that are expected, and none that is not. It answers whether there was anything to do.
 */
export function refundsOf(config: Config, open: () => Promise<GameAtWork[]>, owner: string): () => Promise<boolean> {
  let nextMatch = 0;
  return async () => {
    const games = await open();
    if (Date.now() >= nextMatch) {
      for (const { pool, gameId } of games) {
        await matchReversals(pool, gameId);
        await questionReported(pool, gameId);
      }
      nextMatch = Date.now() + MATCH_MS;
    }
    const worked = await Promise.all(games.map((game) => settleOne(config, game, owner)));
    return worked.includes(true);
  };
}

async function settleOne(config: Config, game: GameAtWork, owner: string): Promise<boolean> {
  const gameConfig = config.games.find((each) => each.slug === game.slug);
  if (gameConfig === undefined) return false;
  return settleRefund({
    store: openRefundStore(game.pool, owner, [game.gameId]),
    wire: refundWire(game.pool, game.gameId, clientOf(game, gameConfig, { asks: 'person' }), game.now),
    jitter: Math.random,
    businessNow: game.now,
    timeZone: game.timeZone,
  });
}
