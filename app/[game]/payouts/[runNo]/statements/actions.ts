'use server';

import { z } from 'zod';
import { formAction, slugShape } from '#app/_server/form-action.ts';
import type { FormResult } from '#app/_ui/forms/form-result.tsx';
import { requestStatements } from '#lib/payouts/draw-statements.ts';
import { parseRunNo } from '#lib/payouts/rules/run-content.ts';

/** The run by its number, as people call it. */
const about = z.object({ game: slugShape, runNo: z.string().max(5) });

/** Requests that all statements of an approved run are drawn, and shows the progress. A running job is joined. */
export const drawStatementsAction = formAction(
  { schema: about, who: 'files.export', game: true, refreshes: 'done' },
  async ({ form, actor, game }): Promise<FormResult> => {
    const runNo = parseRunNo(form.runNo);
    const isStarted = runNo !== null && (await requestStatements(game, runNo, actor.email)).ok;
    if (isStarted) return { kind: 'done', sentence: 'Started.' };
    return { kind: 'refused', sentence: 'Statements are available once the run is approved. Nothing was started.' };
  },
);
