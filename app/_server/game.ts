import 'server-only';
import { notFound } from 'next/navigation';
import { connection } from 'next/server';
import { cache } from 'react';
import { findGameConfig, type GameConfig } from '#lib/config.ts';
import type { Game } from '#lib/core/game.ts';
import type { GameContext } from '#lib/games/open-game.ts';
import { listStoredGames } from '#lib/games/reads/stored-games.ts';
import { ensureGame } from '#lib/games/writes.ts';
import { config, db, now } from './server-context.ts';
import { findSession } from './session.ts';

export type { Game } from '#lib/core/game.ts';

/** The configured game of an address, with its row in the database; the not-found page when there is none. */
export const requireGame: (slug: string) => Promise<Game> = cache(async (slug) => {
  await connection();
  const configured = findGameConfig(config(), slug);
  return configured ? await storeGame(configured) : notFound();
});

/** Every configured game, in the order of the configuration. */
export const listGames: () => Promise<Game[]> = cache(async () => {
  // A build that tries a page has no request and no configuration; it ends here.
  await connection();
  return await Promise.all(config().games.map(storeGame));
});

/** The stored games; those of a signed-in request come with its session. */
const listStored: () => Promise<Map<string, Game>> = cache(async () => {
  const games = (await findSession())?.games ?? (await listStoredGames(db()));
  return new Map(games.map((game) => [`${game.environment} ${game.slug}`, game]));
});

/** The game as stored; it is stored when it isn't yet, and when its name or its time zone has changed. */
async function storeGame(configured: GameConfig): Promise<Game> {
  const { slug, name, environment, timeZone: configuredZone, gameId: configuredId } = configured;
  const found = (await listStored()).get(`${environment} ${slug}`);
  const isCurrent = found?.name === name && found.timeZone === configuredZone;
  const { gameId, invoGameId, timeZone } = isCurrent ? found : await ensureGame(db(), configured);
  return { gameId, slug, name, environment, timeZone, invoGameId: invoGameId ?? configuredId ?? null };
}

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
