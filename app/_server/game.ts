import 'server-only';
import { notFound } from 'next/navigation';
import { connection } from 'next/server';
import { cache } from 'react';
import { ensureGame } from '#db/games/writes.ts';
import { findGameConfig, type GameConfig } from '#lib/config.ts';
import type { Game } from '#lib/core/game.ts';
import type { GameContext } from '#lib/games/game-context.ts';
import { openGame } from '#lib/games/open-game.ts';
import { now } from './clock.ts';
import { config, db, pool } from './wiring.ts';

export type { Game } from '#lib/core/game.ts';

/** The configured game of an address, with its row in the database; the not-found page when there is none. */
export const requireGame: (slug: string) => Promise<Game> = cache(async (slug) => {
  await connection();
  const configured = findGameConfig(config(), slug);
  return configured ? await keepGame(configured) : notFound();
});

/** Every configured game, in the order of the configuration. */
export const listGames: () => Promise<Game[]> = cache(async () => {
  // A build that tries a page has no request and no configuration; it ends here.
  await connection();
  return await Promise.all(config().games.map(keepGame));
});

/** A game with its database, its clock and its configuration, for the operations a page starts. The secret stays inside. */
export async function openGameContext(game: Game): Promise<GameContext> {
  const configured = findGameConfig(config(), game.slug);
  if (configured === null) throw new Error(`the game ${game.slug} is not configured`);
  const settings = { settleLag_minutes: config().settleLag_minutes, now };
  return { game: await openGame(db(), pool(), configured, settings), config: configured };
}

async function keepGame(configured: GameConfig): Promise<Game> {
  const { slug, name, environment, timeZone, gameId: configuredId } = configured;
  const { gameId, invoGameId } = await ensureGame(db(), configured);
  return { gameId, slug, name, environment, timeZone, invoGameId: invoGameId ?? configuredId ?? null };
}
