'use server';

import { z } from 'zod';
import { formAction, idShape, resultOf, slugShape } from '#app/_server/form-action.ts';
import type { FormResult } from '#app/_ui/forms/form-result.tsx';
import { setMinimum } from '#lib/payouts/hold-payment.ts';
import { DECISION_REFUSALS, HOLD_ERRORS } from '#lib/payouts/text.ts';

const shape = z.object({ game: slugShape, recipientId: idShape, minimum: z.string().max(40) });

const { not_allowed } = DECISION_REFUSALS;
const REFUSALS = { ...DECISION_REFUSALS, no_run: not_allowed, unknown_recipient: not_allowed };

/** Sets the least that is paid to a recipient at once; empty: as the policy has it. */
export const setMinimumAction = formAction(
  { schema: shape, who: 'payouts.prepare', game: true },
  async ({ form, actor, game }): Promise<FormResult> => {
    const answer = await setMinimum(game, actor, form);
    if (!answer.ok && answer.reason === 'invalid')
      return { kind: 'invalid', fields: { minimum: HOLD_ERRORS['amount.not_an_amount'] ?? '' } };
    return resultOf(answer, answer.ok && answer.voidedSubmission ? 'Saved. The run in review is a draft again.' : 'Saved.', REFUSALS);
  },
);
