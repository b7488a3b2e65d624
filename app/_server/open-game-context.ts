import 'server-only';
import { findGameConfig } from '#lib/config.ts';
import type { Game } from '#lib/core/game.ts';
import type { GameContext } from '#lib/games/game-context.ts';
import { config, db, now } from './server-context.ts';

/** A stored game with its database, its clock and its configuration, for the operations a page starts. The secret stays inside. */
export function openGameContext(game: Game): GameContext {
  const configured = findGameConfig(config(), game.slug);
  if (configured === null) throw new Error(`the game ${game.slug} is not configured`);
  return {
    game: { ...game, db: db(), settleLag_minutes: config().settleLag_minutes, isSimulated: config().isSimulated, now },
    config: configured,
  };
}

/** The same for what a person looks up, which counts against their share of the calls. */
export function openLookUp(game: Game, person: { id: string }): GameContext {
  return { ...openGameContext(game), lookUpBy: person.id };
}
