import { cache } from 'react';
import { countForGames, countForNavigation, type NavigationFacts } from '#lib/refunds/reads/refunds-needing-action.ts';
import { listGames } from '../_server/game.ts';
import { db } from '../_server/server-context.ts';

/** With more games the switcher names no counts: each page would count in all of them. */
const GAMES_COUNTED_MAX = 12;

/**
 * What waits in each game for a person, by game, once per request: the switcher of games and the badges of every page show it. Empty with one game
 * or with too many, and then a page counts in its own game alone.
 */
export const countForSwitcher: (personId: string) => Promise<Map<number, NavigationFacts>> = cache(async (personId) => {
  const games = await listGames();
  const isCounted = games.length > 1 && games.length <= GAMES_COUNTED_MAX;
  return isCounted
    ? await countForGames(
        db(),
        games.map(({ gameId }) => gameId),
        personId,
      )
    : new Map();
});

/**
 * How many refunds of a game need a person, how many of its runs and adjustments wait for this one, how many notices they haven't read, and whether
 * payouts are paused, once per request: the badges of every page and the lists of refunds and payouts show them.
 */
export const countForBadges: (gameId: number, personId: string) => Promise<NavigationFacts> = cache(
  async (gameId, personId) => (await countForSwitcher(personId)).get(gameId) ?? (await countForNavigation(db(), gameId, personId)),
);
