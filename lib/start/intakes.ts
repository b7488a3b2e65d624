import { findDatabaseNow, openDb } from '#db/kit/open.ts';
import { ensureGame } from '#lib/games/writes.ts';
import { STATEMENT_RECORD } from '#lib/observability/instruments.ts';
import { logEvent } from '#lib/observability/log.ts';
import { recordRefusals, wakeDeliveries } from '#lib/webhooks/writes/record-delivery.ts';
import { type Config, findGameConfig, type GameConfig } from '../config.ts';
import { messageOf } from '../core/format-text.ts';
import { openIntakeBackground } from '../webhooks/intake-background.ts';
import type { Intake } from '../webhooks/receive-delivery.ts';

/** The intakes of the configured games, over connections of their own. */
export interface Intakes {
  /** The intake of a game; null: no such game. */
  find(slug: string): Intake | null;
  /** Stores what is still to be counted and closes the connections. */
  close(): Promise<void>;
}

type IntakeGame = Awaited<ReturnType<typeof ensureGame>>;

/** A delivery takes one or two short statements. Pages that are slow keep no delivery waiting, and a flood of deliveries no page. */
const POOL_SIZE = 6;
const STATEMENT_MS = 5_000;
const CONNECT_MS = 2_000;
const CLOCK_MS = 1_000;

/** Opens the intakes of one process. A connection is made when the first delivery comes. */
export function openIntakes(config: Config): Intakes {
  const { db, close } = openDb(config.databaseUrl, {
    poolSize: POOL_SIZE,
    connect_ms: CONNECT_MS,
    statement_ms: STATEMENT_MS,
    record: STATEMENT_RECORD,
  });
  let clock: { readAt: number; database: number } | null = null;
  const games = new Map<string, IntakeGame>();

  /** The time by the database clock: read once a second, and counted on from there by a monotonic clock. */
  async function findNow(): Promise<string> {
    if (clock === null || performance.now() - clock.readAt > CLOCK_MS)
      clock = { readAt: performance.now(), database: Date.parse(await findDatabaseNow(db)) };
    return new Date(clock.database + performance.now() - clock.readAt).toISOString();
  }

  /** The id of a game never changes, nor does the one at Invo once it is known: until then it is read for each delivery. */
  async function findStored(configured: GameConfig): Promise<IntakeGame> {
    const known = games.get(configured.slug);
    if (known !== undefined) return known;
    const game = await ensureGame(db, configured);
    if (game.invoGameId !== null || configured.gameId !== undefined) games.set(configured.slug, game);
    return game;
  }

  const background = openIntakeBackground({
    findGameId: async (slug) => {
      const configured = findGameConfig(config, slug);
      return configured === null ? null : (await findStored(configured)).gameId;
    },
    recordRefusals: (refusals) => recordRefusals(db, refusals),
    wake: (gameId) => wakeDeliveries(db, gameId),
  });

  return {
    find(slug) {
      const configured = findGameConfig(config, slug);
      if (configured === null) return null;
      const { webhookSecret: current, webhookSecretPrevious: previous, gameId: configuredId } = configured;
      return {
        secrets: current === undefined ? null : { current, previous },
        db,
        now: findNow,
        findGame: async () => {
          const stored = await findStored(configured);
          return { gameId: stored.gameId, pinnedId: configuredId ?? stored.invoGameId };
        },
        onRefused: (reason, body) => background.countRefusal(slug, reason, body),
        onStored: (gameId) => background.wakeSoon(gameId),
        onError: (error) => logEvent('web', 'webhook not stored', { game: slug, message: messageOf(error) }),
      };
    },
    close: async () => {
      await background.flush().catch(() => undefined);
      await close();
    },
  };
}
