'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { formAction, idShape, slugShape } from '#app/_server/form-action.ts';
import { openGameContext } from '#app/_server/open-game-context.ts';
import type { FormResult } from '#app/_ui/forms/form-result.tsx';
import { setMinimum } from '#lib/payouts/hold-payment.ts';
import { DECISION_REFUSALS, HOLD_ERRORS } from '#lib/payouts/text.ts';

const shape = z.object({ game: slugShape, recipientId: idShape, minimum: z.string().max(40) });

/** Sets the least that is paid to a recipient at once; empty: as the policy has it. */
export const setMinimumAction = formAction(
  { schema: shape, who: 'payouts.prepare', game: true },
  async ({ form, actor, game }): Promise<FormResult> => {
    const context = openGameContext(game);
    const answer = await setMinimum(context.game, actor, form);
    revalidatePath(`/${game.slug}`, 'layout');
    if (answer.ok) return { kind: 'done', sentence: answer.voidedSubmission ? 'Saved. The run in review is a draft again.' : 'Saved.' };
    if (answer.reason === 'invalid') return { kind: 'invalid', fields: { minimum: HOLD_ERRORS['amount.not_an_amount'] ?? '' } };
    return {
      kind: 'refused',
      sentence:
        answer.reason in DECISION_REFUSALS
          ? DECISION_REFUSALS[answer.reason as keyof typeof DECISION_REFUSALS]
          : DECISION_REFUSALS.not_allowed,
    };
  },
);
