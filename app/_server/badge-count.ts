import 'server-only';
import { cache } from 'react';
import { type BadgeCounts, countBadges } from '#db/refunds/reads/refunds-needing-action.ts';
import { requirePerson } from './session.ts';
import { db } from './wiring.ts';

/** How many refunds of a game and notices of the person wait, once per request: the badges of every page and the list of refunds show it. */
export const countForBadges: (gameId: number) => Promise<BadgeCounts> = cache(
  async (gameId) => await countBadges(db(), gameId, (await requirePerson()).id),
);
