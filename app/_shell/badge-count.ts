import { headers } from 'next/headers';
import { cache } from 'react';
import { listTasks } from '#lib/tasks/reads.ts';
import { type BadgeCounts, countBadges, type TaskList } from '#lib/tasks/rules/task.ts';
import type { Game } from '../_server/game.ts';
import { db, now } from '../_server/server-context.ts';

// By values: two games read in one request are two objects.
const tasksOf = cache(async (gameId: number, timeZone: string, personId: string, scope: 'badges' | 'all'): Promise<TaskList> => {
  return await listTasks(db(), { gameId, timeZone, personId, now: now(), scope });
});

/** Everything that waits for a person in a game, once per request, for a first page: its badges count the same rows. */
export async function findTasks({ gameId, timeZone }: Pick<Game, 'gameId' | 'timeZone'>, person: { id: string }): Promise<TaskList> {
  return await tasksOf(gameId, timeZone, person.id, 'all');
}

/** The pages that list everything that waits: the game itself and its players. */
const FIRST_PAGES = /^\/[^/?]+(\/players)?$/;

/**
 * How many tasks each badge counts, how many notices the person hasn’t read, and whether payouts are paused, once per request. On a first page all
 * tasks are read in the same statement, elsewhere only those that badges count.
 */
export async function countForBadges(
  { gameId, timeZone }: Pick<Game, 'gameId' | 'timeZone'>,
  person: { id: string },
): Promise<BadgeCounts> {
  const [path] = ((await headers()).get('x-sharebook-path') ?? '').split('?');
  return countBadges(await tasksOf(gameId, timeZone, person.id, FIRST_PAGES.test(path ?? '') ? 'all' : 'badges'));
}
