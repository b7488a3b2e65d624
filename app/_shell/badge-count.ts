import { headers } from 'next/headers';
import { cache } from 'react';
import { listTasks, noneIfAway } from '#lib/tasks/reads.ts';
import { type BadgeCounts, countBadges, type TaskList } from '#lib/tasks/rules/task.ts';
import { type Game, listGames } from '../_server/game.ts';
import { db, now } from '../_server/server-context.ts';

type CountedGame = Pick<Game, 'gameId' | 'slug' | 'timeZone'>;

/** With more games the switcher names no counts: each page would count in all of them. */
const GAMES_COUNTED_MAX = 6;

// By values: two games read in one request are two objects.
const tasksOf = cache(async (gameId: number, timeZone: string, personId: string, scope: 'badges' | 'all'): Promise<TaskList> => {
  return await listTasks(db(), { gameId, timeZone, personId, now: now(), scope });
});

/** Everything that waits for a person in a game, once per request, for a first page: its badges count the same rows. */
export async function findTasks({ gameId, timeZone }: Pick<Game, 'gameId' | 'timeZone'>, person: { id: string }): Promise<TaskList> {
  return await tasksOf(gameId, timeZone, person.id, 'all');
}

/**
 * How many tasks each badge counts, how many notices the person hasn’t read, and whether payouts are paused, once per request. On a first page all
 * tasks are read in the same statement, elsewhere only those that badges count.
 */
export async function countForBadges({ gameId, slug, timeZone }: CountedGame, person: { id: string }): Promise<BadgeCounts> {
  const [path] = ((await headers()).get('x-sharebook-path') ?? '').split('?');
  // The pages that list everything that waits: the game itself and its players.
  const isFirstPage = path === `/${slug}` || path === `/${slug}/players`;
  return countBadges(await tasksOf(gameId, timeZone, person.id, isFirstPage ? 'all' : 'badges'));
}

/** The same for the frame around a page; null while the server of the game is away. */
export async function countIfThere(game: CountedGame, person: { id: string }): Promise<BadgeCounts | null> {
  return await noneIfAway(countForBadges(game, person));
}

/** What badges count in each game, by game, for the switcher of games. Empty with one game or with too many. */
export async function countForSwitcher(person: { id: string }): Promise<Map<number, BadgeCounts | null>> {
  const games = await listGames();
  const counted = games.length > 1 && games.length <= GAMES_COUNTED_MAX ? games : [];
  return new Map(await Promise.all(counted.map(async (game) => [game.gameId, await countIfThere(game, person)] as const)));
}
