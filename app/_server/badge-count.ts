import 'server-only';
import { cache } from 'react';
import { countForNavigation, type NavigationCounts } from '#db/refunds/reads/refunds-needing-action.ts';
import { db } from './wiring.ts';

/**
 * How many refunds of a game need a person, how many of its runs and adjustments wait for this one, and how many notices they haven't read, once per
 * request: the badges of every page and the lists of refunds and payouts show them.
 */
export const countForBadges: (gameId: number, personId: string) => Promise<NavigationCounts> = cache(
  async (gameId, personId) => await countForNavigation(db(), gameId, personId),
);
