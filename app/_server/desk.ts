import 'server-only';
import { findGameConfig } from '#lib/config.ts';
import { openGame } from '#lib/games/game.ts';
import type { Desk } from '#lib/games/game-context.ts';
import { now } from './clock.ts';
import type { Game } from './game.ts';
import { config, db, pool } from './wiring.ts';

/** A game with the means to ask Invo about it, for the operations that support's pages start. The secret stays inside. */
export async function openDesk(game: Game): Promise<Desk> {
  const configured = findGameConfig(config(), game.slug);
  if (configured === null) throw new Error(`the game ${game.slug} is not configured`);
  const settings = { settleLag_minutes: config().settleLag_minutes, now };
  return { game: await openGame(db(), pool(), configured, settings), config: configured };
}
