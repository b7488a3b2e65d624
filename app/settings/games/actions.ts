'use server';

import { z } from 'zod';
import { formAction, ordinalShape, resultOf, slugShape } from '#app/_server/form-action.ts';
import { freshPassword } from '#app/_server/fresh-password.ts';
import type { FormResult } from '#app/_ui/forms/form.tsx';
import { type DecisionResult, decideProposedPolicy, proposePolicy } from '#lib/payouts/adjust-balance.ts';
import { DECISION_REFUSALS } from '#lib/payouts/text.ts';
import { ANOTHER_WAITS, POLICY_ERRORS } from './text.ts';

const policyText = z.string().max(40);
// What isn't a number is an error at its field.
const count = policyText.transform((typed) => (typed.trim() === '' ? Number.NaN : Number(typed)));
const policyShape = z.object({
  game: slugShape,
  minimum: policyText,
  secondApprovalFrom: policyText,
  recheckHours: count,
  changePercent: count,
  firstPaymentFrom: policyText,
  holdsBaseMismatch: z.literal('yes').optional(),
});
const decidedShape = z.object({ game: slugShape, policyNo: ordinalShape });

/** Proposes a payout policy; it applies once a second person confirms it. */
export const proposePolicyAction = formAction(
  { schema: policyShape, who: 'payouts.prepare', game: true },
  async ({ form, actor, game }): Promise<FormResult> => {
    const answer = await proposePolicy(game, actor, { ...form, holdsBaseMismatch: form.holdsBaseMismatch === 'yes' });
    if (!answer.ok && answer.reason === 'invalid')
      return { kind: 'invalid', fields: Object.fromEntries(answer.fields.map((field) => [field, POLICY_ERRORS[field]])) };
    return resultOf(answer, 'Proposed. It applies once a second person confirms it.', {
      ...DECISION_REFUSALS,
      another_waits: ANOTHER_WAITS,
    });
  },
);

/** Confirms a policy another person proposed. */
export const confirmPolicyAction = formAction(
  { schema: decidedShape, who: 'payouts.approve', game: true, password: freshPassword },
  async ({ form, actor, game }) =>
    toPolicyResult(await decideProposedPolicy(game, actor, { policyNo: form.policyNo, decision: 'confirmed' })),
);

/** Withdraws a proposed policy. */
export const withdrawPolicyAction = formAction(
  { schema: decidedShape, who: 'payouts.prepare', game: true },
  async ({ form, actor, game }) =>
    toPolicyResult(await decideProposedPolicy(game, actor, { policyNo: form.policyNo, decision: 'withdrawn' })),
);

function toPolicyResult(answer: DecisionResult): FormResult {
  return resultOf(
    answer,
    answer.ok && answer.voidedSubmission ? 'Saved. The run in review is a draft again.' : 'Saved.',
    DECISION_REFUSALS,
  );
}
