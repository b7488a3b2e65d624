import type { Db } from '#db/kit/open.ts';
import type { GameConfig } from '../config.ts';
import type { Game } from '../core/game.ts';
import { ensureGame } from './writes.ts';

/** A game with its database and clock, for every operation on it. It doesn't hold the secret. */
export interface OpenGame extends Game {
  db: Db;
  settleLag_minutes: number;
  /** The data comes from the simulated service, where nothing waits for real time to pass. Absent: it doesn't. */
  isSimulated?: boolean;
  /** The clock, as an instant; a parameter so that time can stand still. */
  now: () => string;
}

/** A game with its configuration, for operations that send requests to Invo. */
export interface GameContext {
  game: OpenGame;
  config: GameConfig;
  /** Id of the person who looks something up: they get a share of the budget at most. Absent for what a refund itself needs. */
  lookUpBy?: string;
}

/**
 * Opens a configured game: finds or inserts its row, and adds the database and the clock. Its time zone is the one its months were pulled
 * in, whatever the configuration says now; `formatZoneChange` says so.
 */
export async function openGame(
  db: Db,
  config: GameConfig,
  settings: Pick<OpenGame, 'settleLag_minutes' | 'isSimulated' | 'now'>,
): Promise<OpenGame> {
  const stored = await ensureGame(db, config);
  const { slug, name, environment } = config;
  return { db, slug, name, environment, ...settings, ...stored };
}
