import { flagReported, matchReversals } from '#db/refunds/writes/match-reversals.ts';
import { openRefundStore } from '#db/refunds/writes/refund-store.ts';
import type { GameConfig } from '../config.ts';
import { clientOf, type OpenGame } from '../games/open-game.ts';
import { advanceRefund } from '../refunds/advance-refund.ts';
import { refundWire } from '../refunds/refund-wire.ts';

/** Settles the due refunds of a game, one step of one refund at a time, until none is due or `signal` says to stop. */
export async function settleDueRefunds(game: OpenGame, config: GameConfig, owner: string, signal: AbortSignal): Promise<void> {
  const ports = {
    store: openRefundStore(game.pool, owner, [game.gameId]),
    wire: refundWire(game, clientOf(game, config, { caller: 'person' })),
    jitter: Math.random,
    businessNow: game.now,
    timeZone: game.timeZone,
  };
  while (!signal.aborted && (await advanceRefund(ports)));
}

/** Compares the refunds of a game with the pulled reports: the reversals that are expected, and those that nobody expects. */
export async function compareWithReports({ pool, gameId }: Pick<OpenGame, 'pool' | 'gameId'>): Promise<void> {
  await matchReversals(pool, gameId);
  await flagReported(pool, gameId);
}
