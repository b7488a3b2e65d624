'use server';

import { z } from 'zod';
import { formAction, slugShape } from '#app/_server/form-action.ts';
import type { FormResult } from '#app/_ui/forms/form-result.tsx';
import { estimateHistory, type HistoryEstimate, pausePulls, startHistory } from '#lib/evidence/pull/schedule-pulls.ts';
import { SCHEDULED_MONTHS_MAX } from '#lib/evidence/rules/due-pulls.ts';
import { toInvoFailure } from '#lib/games/game-context.ts';

const history = z.object({ game: slugShape, months: z.coerce.number().int().min(1).max(SCHEDULED_MONTHS_MAX) });
const pause = z.object({ game: slugShape, isPaused: z.literal(['yes', 'no']) });

export type Estimated = FormResult<string, { kind: 'estimated'; estimate: HistoryEstimate }>;

/** Estimates with Invo what pulling a game’s history is likely to take. Pulls nothing. */
export const estimateHistoryAction = formAction(
  { schema: history, who: 'pulls.start', game: true, refreshes: 'never' },
  async ({ form, context }): Promise<Estimated> => {
    try {
      return { kind: 'estimated', estimate: await estimateHistory(context, form.months) };
    } catch (error) {
      const { sentence, errorId } = toInvoFailure(error);
      return { kind: 'failed', sentence, errorId };
    }
  },
);

/** Starts to pull a game’s history. */
export const startHistoryAction = formAction(
  { schema: history, who: 'pulls.start', game: true },
  async ({ form, actor, game }): Promise<FormResult> => {
    const isNew = await startHistory(game, { months: form.months, actor: actor.email });
    return isNew
      ? { kind: 'done', sentence: 'The history is being pulled.' }
      : { kind: 'refused', sentence: 'The history of this game was started before. Reload the page to see it.' };
  },
);

/** Pauses or resumes the scheduled pulls of a game. */
export const pausePullsAction = formAction(
  { schema: pause, who: 'pulls.start', game: true },
  async ({ form, actor, game }): Promise<FormResult> => {
    const isChanged = await pausePulls(game.db, { gameId: game.gameId, isPaused: form.isPaused === 'yes', actor: actor.email });
    return { kind: 'done', sentence: isChanged ? '' : 'No changes.' };
  },
);
