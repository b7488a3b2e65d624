import 'server-only';
import { cache } from 'react';
import { countRefundsNeedingAction } from '#db/refunds/reads/refunds-needing-action.ts';
import { db } from './wiring.ts';

/** How many refunds of a game need a person, once per request: the badge of every page and the list of refunds show it. */
export const countForBadge: (gameId: number) => Promise<number> = cache(async (gameId) => await countRefundsNeedingAction(db(), gameId));
