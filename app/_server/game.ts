import 'server-only';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { findGameConfig, type GameConfig } from '../../lib/config.ts';
import { config, db } from './wiring.ts';

/** One game in one environment, without its secrets: plain data. */
export interface Game {
  gameId: number;
  slug: string;
  name: string;
  environment: 'production' | 'sandbox';
  timeZone: string;
  /** Invo's own id; null until the first report pinned it. */
  invoGameId: string | null;
}

/** The configured game of an address; the not-found page when there is none. Known to the book from the first look on. */
export const requireGame: (slug: string) => Promise<Game> = cache(async (slug) => {
  const configured = findGameConfig(config(), slug);
  return configured ? await keepGame(configured) : notFound();
});

/** Every configured game, in the order of the configuration. */
export const listGames: () => Promise<Game[]> = cache(() => Promise.all(config().games.map(keepGame)));

async function keepGame(configured: GameConfig): Promise<Game> {
  const { slug, name, environment, timeZone } = configured;
  const known = await findGame(slug, environment);
  if (known && known.name === name && known.time_zone === timeZone) return reshape(known, configured);
  const row = await db()
    .insertInto('game')
    .values({ slug, environment, name, time_zone: timeZone, invo_game_id: configured.gameId ?? null })
    .onConflict((conflict) => conflict.columns(['slug', 'environment']).doUpdateSet({ name, time_zone: timeZone }))
    .returning(['game_id', 'name', 'time_zone', 'invo_game_id'])
    .executeTakeFirstOrThrow();
  return reshape(row, configured);
}

interface Row {
  game_id: number;
  name: string;
  time_zone: string;
  invo_game_id: string | null;
}

async function findGame(slug: string, environment: string): Promise<Row | undefined> {
  return await db()
    .selectFrom('game')
    .select(['game_id', 'name', 'time_zone', 'invo_game_id'])
    .where('slug', '=', slug)
    .where('environment', '=', environment)
    .executeTakeFirst();
}

function reshape(row: Row, { slug, environment, gameId }: GameConfig): Game {
  return { gameId: row.game_id, slug, name: row.name, environment, timeZone: row.time_zone, invoGameId: row.invo_game_id ?? gameId ?? null };
}
