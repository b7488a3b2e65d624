import { cache } from 'react';
import { listTasks } from '#lib/tasks/reads.ts';
import { type BadgeCounts, countBadges, type TaskList } from '#lib/tasks/rules/task.ts';
import type { Game } from '../_server/game.ts';
import { db, now } from '../_server/server-context.ts';

// By values: two games read in one request are two objects.
const tasksOf = cache(async (gameId: number, timeZone: string, personId: string): Promise<TaskList> => {
  return await listTasks(db(), { gameId, timeZone, personId, now: now() });
});

/** What waits for a person in a game, once per request: the badges of every page, the first pages and the lists of refunds and payouts show it. */
export async function findTasks({ gameId, timeZone }: Pick<Game, 'gameId' | 'timeZone'>, person: { id: string }): Promise<TaskList> {
  return await tasksOf(gameId, timeZone, person.id);
}

/** How many of them each badge counts, how many notices the person hasn’t read, and whether payouts are paused. */
export async function countForBadges(game: Pick<Game, 'gameId' | 'timeZone'>, person: { id: string }): Promise<BadgeCounts> {
  return countBadges(await findTasks(game, person));
}
