'use server';

import { z } from 'zod';
import { formAction, idShape, resultOf, slugShape } from '#app/_server/form-action.ts';
import { type CardFeesResult, postCardFees } from '#lib/accounting/post-journals.ts';
import { ACCOUNT_TEXT } from '#lib/approvals/text.ts';

const REFUSALS: Record<Extract<CardFeesResult, { ok: false }>['reason'], string> = {
  not_allowed: 'Your role can’t post journals. No changes were made.',
  ...ACCOUNT_TEXT,
  moved_on: 'This run is no longer approved. No changes were made. Reload the page.',
  nothing: 'There are no card fees left to post. Reload the page.',
};

const shape = z.object({ game: slugShape, runId: idShape });

/** Posts the card fees of an approved run's month. */
export const postCardFeesAction = formAction({ schema: shape, who: 'payouts.prepare', game: true }, async ({ form, actor, game }) =>
  resultOf(await postCardFees(game, actor, form.runId), 'Card fees posted.', REFUSALS),
);
