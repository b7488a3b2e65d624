import type pg from 'pg';
import { ensureGame, recordPreviousSecretUsed, type StoredGame } from '#db/games/writes/games.ts';
import type { Db } from '#db/kit/open.ts';
import type { GameConfig } from '../config.ts';
import { createInvoClient, type InvoClient } from '../invo/client.ts';
import type { CallEvent } from '../invo/settings.ts';
import { sharedBudget } from './rate-budget.ts';

/** What an operation on one game works with. The secret is inside the client and nowhere else. */
export interface GameAtWork extends StoredGame {
  db: Db;
  pool: pg.Pool;
  slug: string;
  timeZone: string;
  settleLag_minutes: number;
  /** The clock, as an instant; a parameter so that time can stand still. */
  now: () => string;
}

export interface ClientOptions {
  /** Who asks: pulls leave room for a person's click. */
  asks: 'pull' | 'person';
  onWait?: (untilMs: number | null) => void;
  log?: (event: CallEvent) => void;
}

/** Brings a configured game to work: its row in the book, and the means to ask Invo for it. */
export async function openGame(
  db: Db,
  pool: pg.Pool,
  config: GameConfig,
  settings: { settleLag_minutes: number; now: () => string },
): Promise<GameAtWork> {
  const stored = await ensureGame(db, config);
  return { db, pool, slug: config.slug, timeZone: config.timeZone, ...settings, ...stored };
}

/** The client of a game at Invo, over the rate budget all processes share. */
export function clientOf(game: GameAtWork, config: GameConfig, options: ClientOptions): InvoClient {
  const gameId = config.gameId ?? game.invoGameId ?? undefined;
  return createInvoClient({
    access: {
      baseUrl: config.baseUrl,
      secret: config.gameSecret,
      environment: config.environment,
      ...(config.gameSecretPrevious === undefined ? {} : { previousSecret: config.gameSecretPrevious }),
      ...(gameId === undefined ? {} : { gameId }),
    },
    budget: sharedBudget(game.pool, game.gameId, options),
    onPreviousSecretUsed: () => void recordPreviousSecretUsed(game.db, game.gameId, game.now()).catch(() => undefined),
    ...(options.log === undefined ? {} : { log: options.log }),
  });
}
