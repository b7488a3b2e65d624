import { cache } from 'react';
import { countForNavigation } from '#lib/refunds/reads/refunds-needing-action.ts';
import { db } from '../_server/server-context.ts';

/**
 * How many refunds of a game need a person, how many of its runs and adjustments wait for this one, how many notices they haven't read, and whether
 * payouts are paused, once per request: the badges of every page and the lists of refunds and payouts show them.
 */
export const countForBadges: (gameId: number, personId: string) => ReturnType<typeof countForNavigation> = cache(
  async (gameId, personId) => await countForNavigation(db(), gameId, personId),
);
