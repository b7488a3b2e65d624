'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { digestShape, formAction, idShape, openPage, slugShape } from '#app/_server/form-action.ts';
import { requestRefund } from '#lib/refunds/request-refund.ts';
import { parseRefundReason, type RefundReason } from '#lib/refunds/rules/refund.ts';
import { formatRefusal, type RefundFormState, UNCONFIRMED } from './form-state.ts';

const shape = z.object({
  game: slugShape,
  periodId: idShape,
  draftId: z.uuid(),
  baseline: digestShape,
  amount: z.string().max(60),
  reason: z.custom<RefundReason>((text) => parseRefundReason(text) !== null),
  description: z.string().max(5_000),
  confirmedRisk: z.string().max(300).optional(),
  confirmedAmount: z.string().max(60).optional(),
});

/** Requests a refund as the form says; once stored, it leads to the page of the refund. */
export const requestRefundAction = formAction(
  { schema: shape, who: 'refunds.request', game: true, refreshes: 'never' },
  async ({ form, actor, game, context }): Promise<RefundFormState> => {
    const { periodId, draftId, baseline, amount, reason, description, confirmedRisk, confirmedAmount } = form;
    if (confirmedAmount !== amount) return UNCONFIRMED;
    const answer = await requestRefund(context, actor, {
      draftId,
      periodId,
      baseline,
      amountText: amount,
      reason_code: reason,
      reason_text: description.trim() === '' ? null : description,
      confirmedRisk: confirmedRisk ?? null,
    });
    if (!answer.ok) {
      if (answer.reason === 'changed' || answer.reason === 'risk') revalidatePath(`/${game.slug}/periods/${periodId}/refund`);
      return formatRefusal(answer);
    }
    openPage(`/${game.slug}/refunds/${answer.refundId}`);
  },
);
