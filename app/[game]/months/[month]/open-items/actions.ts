'use server';

import { z } from 'zod';
import { formAction, idShape, resultOf, slugShape } from '#app/_server/form-action.ts';
import { OUTCOME_LENGTH_MAX } from '#lib/core/typed-input.ts';
import { ASSIGNEES, noteUnattributed } from '#lib/fees/note-unattributed.ts';

const given = z.object({ game: slugShape, itemId: idShape, note: z.string().max(5_000).default(''), assignee: z.enum(ASSIGNEES) });

/** Records what was found out about a renewal without attribution. */
export const noteUnattributedAction = formAction(
  { schema: given, who: 'pulls.start', game: true, refreshes: 'done' },
  async ({ form: { itemId, note, assignee }, actor, game: { db, gameId } }) =>
    resultOf(await noteUnattributed(db, actor, { gameId, itemId, note, assignee }), 'Saved.', REFUSALS),
);

const REFUSALS = {
  too_long: `The finding is longer than ${OUTCOME_LENGTH_MAX} characters. Nothing was saved.`,
  gone: 'This renewal is no longer listed. Nothing was saved. Reload the page.',
};
