import 'server-only';
import { findGameConfig } from '#lib/config.ts';
import type { Game } from '#lib/core/game.ts';
import type { GameContext } from '#lib/games/game-context.ts';
import { openGame } from '#lib/games/open-game.ts';
import { now } from './clock.ts';
import { config, db, pool } from './wiring.ts';

/** A game with its database, its clock and its configuration, for the operations a page starts. The secret stays inside. */
export async function openGameContext(game: Game): Promise<GameContext> {
  const configured = findGameConfig(config(), game.slug);
  if (configured === null) throw new Error(`the game ${game.slug} is not configured`);
  const settings = { settleLag_minutes: config().settleLag_minutes, now };
  return { game: await openGame(db(), pool(), configured, settings), config: configured };
}
