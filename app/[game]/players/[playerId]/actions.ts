'use server';

import type { ReactElement } from 'react';
import { z } from 'zod';
import { formAction, idShape, slugShape } from '#app/_server/form-action.ts';
import type { FormResult } from '#app/_ui/forms/form.tsx';
import { REQUEST_REFUSALS } from '#lib/actions/control-text.ts';
import { showVault } from '#lib/actions/show-vault.ts';
import { BLOCKER_TEXT } from '#lib/actions/text.ts';
import { drawVault } from './loyalty/vault.tsx';
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

const vaultOf = z.object({ game: slugShape, playerId: idShape });

/** Reads what the player is offered and holds, as the player. Nothing of it is stored. */
export const showVaultAction = formAction(
  { schema: vaultOf, who: 'actions.request', game: true, refreshes: 'never' },
  async ({ form: { playerId }, actor, context }): Promise<FormResult<never, { kind: 'vault'; content: ReactElement }>> => {
    const read = await showVault(context, actor, playerId);
    if (read.ok) {
      const { slug, timeZone } = context.game;
      return { kind: 'vault', content: drawVault({ ...read, href: `/${slug}/players/${playerId}/loyalty`, timeZone }) };
    }
    if (read.reason === 'no_answer') return { kind: 'failed', sentence: read.error.sentence, errorId: read.error.errorId };
    if (read.reason === 'not_allowed' || read.reason === 'switched_off')
      return { kind: 'refused', sentence: REQUEST_REFUSALS[read.reason] };
    return { kind: 'refused', sentence: BLOCKER_TEXT[read.reason] };
  },
);
