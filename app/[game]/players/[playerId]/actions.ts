'use server';

import type { ReactElement } from 'react';
import { z } from 'zod';
import { formAction, idShape, slugShape } from '#app/_server/form-action.ts';
import { openParts, PARTS } from './part-card.tsx';
import { drawPart } from './player-parts.tsx';
import { openTab } from './player-tab.tsx';

const wanted = z.tuple([slugShape, idShape, z.literal(PARTS)]).transform(([game, playerId, part]) => ({ game, playerId, part }));

/** Reads one part of a player's page again. Nothing else of the page is read or drawn. */
export const readPartAction = formAction(
  { schema: wanted, who: 'desk.read', game: true, refreshes: 'never' },
  async ({ form: { game, playerId, part } }): Promise<{ kind: 'part'; content: ReactElement }> => {
    const tab = await openTab({ params: Promise.resolve({ game, playerId: String(playerId) }) });
    return { kind: 'part', content: await drawPart(part, openParts(tab, part)) };
  },
);
