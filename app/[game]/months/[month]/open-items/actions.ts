'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { formAction, idShape, slugShape } from '#app/_server/form-action.ts';
import { db } from '#app/_server/server-context.ts';
import type { FormResult } from '#app/_ui/forms/form-result.tsx';
import { parseMonth } from '#lib/core/month.ts';
import { OUTCOME_LENGTH_MAX } from '#lib/core/typed-input.ts';
import { ASSIGNEES, noteUnattributed } from '#lib/fees/note-unattributed.ts';

const given = z.object({
  game: slugShape,
  month: z.string().max(10),
  itemId: idShape,
  note: z.string().max(5_000).default(''),
  assignee: z.enum(ASSIGNEES),
});

/** Records what was found out about a renewal without attribution. */
export const noteUnattributedAction = formAction(
  { schema: given, who: 'pulls.start', game: true },
  async ({ form, actor, game }): Promise<FormResult> => {
    const { itemId, note, assignee, month } = form;
    const answer = await noteUnattributed(db(), actor, { gameId: game.gameId, itemId, note, assignee });
    if (!answer.ok) return { kind: 'refused', sentence: REFUSALS[answer.reason] };
    revalidatePath(`/${game.slug}/months/${parseMonth(month) ?? ''}/open-items`);
    return { kind: 'done', sentence: 'Saved.' };
  },
);

const REFUSALS = {
  too_long: `The finding is longer than ${OUTCOME_LENGTH_MAX} characters. Nothing was saved.`,
  gone: 'This renewal is no longer listed. Nothing was saved. Reload the page.',
};
