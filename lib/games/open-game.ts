import type pg from 'pg';
import { ensureGame, findAcceptedSecret, recordAcceptedSecret } from '#db/games/writes.ts';
import type { Db } from '#db/kit/open.ts';
import type { GameConfig } from '../config.ts';
import type { Game } from '../core/game.ts';
import { createInvoClient, type InvoClient } from '../invo/client.ts';
import type { CallEvent } from '../invo/settings.ts';
import { sharedBudget } from './shared-budget.ts';

/** A game with its database and clock, for every operation on it. The secret is inside the client and nowhere else. */
export interface OpenGame extends Game {
  db: Db;
  pool: pg.Pool;
  settleLag_minutes: number;
  /** The data comes from the simulated service, where nothing waits for real time to pass. Absent: it doesn't. */
  isSimulated?: boolean;
  /** The clock, as an instant; a parameter so that time can stand still. */
  now: () => string;
}

export interface ClientOptions {
  /** Who sends the requests: pulls leave room for a person's click. */
  caller: 'pull' | 'person';
  /** Id of the person who looks something up. */
  lookUpBy?: string;
  onWait?: (untilMs: number | null) => void;
  log?: (event: CallEvent) => void;
}

/**
 * Opens a configured game: finds or inserts its row, and adds the database and the clock. Its time zone is the one its months were pulled
 * in, whatever the configuration says now; `formatZoneChange` says so.
 */
export async function openGame(
  db: Db,
  pool: pg.Pool,
  config: GameConfig,
  settings: Pick<OpenGame, 'settleLag_minutes' | 'isSimulated' | 'now'>,
): Promise<OpenGame> {
  const stored = await ensureGame(db, config);
  const { slug, name, environment } = config;
  return { db, pool, slug, name, environment, ...settings, ...stored };
}

/** The client of a game at Invo, over the rate budget all processes share. */
export function clientOf(game: OpenGame, config: GameConfig, options: ClientOptions): InvoClient {
  const gameId = config.gameId ?? game.invoGameId ?? undefined;
  return createInvoClient({
    access: {
      baseUrl: config.baseUrl,
      secret: config.gameSecret,
      environment: config.environment,
      ...(config.gameSecretPrevious === undefined ? {} : { previousSecret: config.gameSecretPrevious }),
      ...(gameId === undefined ? {} : { gameId }),
    },
    budget: sharedBudget(game.db, game.gameId, options),
    secretMemory: {
      find: () => findAcceptedSecret(game.db, game.gameId),
      record: (accepted) => recordAcceptedSecret(game.db, game.gameId, accepted, game.now()),
    },
    ...(options.log === undefined ? {} : { log: options.log }),
  });
}
