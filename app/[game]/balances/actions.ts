'use server';

import { z } from 'zod';
import { formAction, idShape, openPage, slugShape } from '#app/_server/form-action.ts';
import type { FormResult } from '#app/_ui/forms/form.tsx';
import { requestBalances, stopBalances } from '#lib/balances/request-balances.ts';
import { ALREADY_RUNNING } from '#lib/balances/text.ts';

const aboutGame = z.object({ game: slugShape });
const aboutJob = z.object({ game: slugShape, job: idShape });

/** Requests the balances of all players, and opens the job. */
export const readAllAction = formAction(
  { schema: aboutGame, who: 'balances.export', game: true, refreshes: 'never' },
  async ({ actor, game }): Promise<FormResult> => {
    const answer = await requestBalances(game, { scope: 'all' }, { requestedBy: actor.email });
    if (!answer.ok) return { kind: 'refused', sentence: ALREADY_RUNNING };
    openPage(`/${game.slug}/balances/${answer.balanceJobId}`);
  },
);

/** Stops a job; what was read until then stays stored. */
export const stopBalancesAction = formAction(
  { schema: aboutJob, who: 'balances.export', game: true },
  async ({ form, actor, game }): Promise<FormResult> => {
    const isStopping = await stopBalances(game, form.job, actor.email);
    return isStopping
      ? { kind: 'done', sentence: 'Stopping…' }
      : { kind: 'refused', sentence: 'It has already ended. Nothing was changed.' };
  },
);
