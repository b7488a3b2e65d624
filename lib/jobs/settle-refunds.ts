import { flagReported, matchReversals } from '#db/refunds/writes/match-reversals.ts';
import { openRefundStore } from '#db/refunds/writes/refund-store.ts';
import { type Config, findGameConfig } from '../config.ts';
import { clientOf, type GameAtWork } from '../games/game.ts';
import { advanceRefund } from '../refunds/advance-refund.ts';
import { refundWire } from '../refunds/refund-wire.ts';
import type { RefundPorts } from '../refunds/rules/ports.ts';

const MATCH_MS = 10_000;

/**
 * Makes the piece of work that settles refunds: one step with one due refund of each game, and every ten seconds a look at what pulled
 * months brought: the reversals that are expected, and none that is not. It answers whether there was anything to do. What fails in one
 * game is said and keeps no other game waiting.
 */
export function settleRefundsOf(
  config: Config,
  open: () => Promise<GameAtWork[]>,
  owner: string,
  say: (line: string) => void,
): () => Promise<boolean> {
  const portsOf = portsByGame(config, owner);
  const orSay = async <T>(game: GameAtWork, work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work();
    } catch (error) {
      say(`trouble with refunds of ${game.slug}: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  };
  let nextMatch = 0;
  return async () => {
    const games = await open();
    if (Date.now() >= nextMatch) {
      // Before the work: should it fail, no refund waits for it.
      nextMatch = Date.now() + MATCH_MS;
      for (const game of games) await orSay(game, () => lookAtReports(game));
    }
    const worked = await Promise.all(games.map((game) => orSay(game, async () => advanceRefund(portsOf(game)))));
    return worked.includes(true);
  };
}

async function lookAtReports({ pool, gameId }: GameAtWork): Promise<void> {
  await matchReversals(pool, gameId);
  await flagReported(pool, gameId);
}

// What settles the refunds of a game is built once; only the id that Invo's first report pins can come while a worker lives.
function portsByGame(config: Config, owner: string): (game: GameAtWork) => RefundPorts {
  const built = new Map<string, RefundPorts>();
  return (game) => {
    const key = `${game.gameId} as ${game.invoGameId}`;
    const ports = built.get(key) ?? buildPorts(config, game, owner);
    built.set(key, ports);
    return ports;
  };
}

function buildPorts(config: Config, game: GameAtWork, owner: string): RefundPorts {
  const gameConfig = findGameConfig(config, game.slug);
  if (gameConfig === null) throw new Error(`the game ${game.slug} is not configured`);
  return {
    store: openRefundStore(game.pool, owner, [game.gameId]),
    wire: refundWire(game, clientOf(game, gameConfig, { asks: 'person' })),
    jitter: Math.random,
    businessNow: game.now,
    timeZone: game.timeZone,
  };
}
