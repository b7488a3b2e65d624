'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { parseRefundReason, type RefundReason } from '../../../../../lib/domain/refund/refund-reasons.ts';
import { requestRefund } from '../../../../../lib/operations/refund/request-refund.ts';
import { checkOrigin } from '../../../../_server/action.ts';
import { openDesk } from '../../../../_server/desk.ts';
import { requireGame } from '../../../../_server/game.ts';
import { requirePerson } from '../../../../_server/session.ts';
import type { RefundFormState } from './form-state.ts';
import { answerRefused } from './refusal-words.ts';

const given = z.object({
  game: z.string().max(40),
  periodId: z.string().regex(/^\d{1,15}$/),
  draftId: z.uuid(),
  baseline: z.string().regex(/^[0-9a-f]{64}$/),
  amount: z.string().max(60),
  reason: z.custom<RefundReason>((text) => parseRefundReason(text) !== null),
  words: z.string().max(5_000),
  confirmedWallet: z.string().max(60).optional(),
});

/** Asks for a refund as the form says; stored, it leads to the page of the refund. */
export async function askForRefundAction(_: RefundFormState, form: FormData): Promise<RefundFormState> {
  const foreign = await checkOrigin();
  if (foreign) return { kind: 'refused', at: 'button', sentence: foreign.sentence };
  const { id, email, role } = await requirePerson('refunds.request');
  const asked = given.safeParse(Object.fromEntries(form));
  if (!asked.success)
    return { kind: 'refused', at: 'button', sentence: 'The form did not arrive whole, so nothing was done. Load the page again.' };
  const { draftId, baseline, amount, reason, words, confirmedWallet } = asked.data;
  const game = await requireGame(asked.data.game);
  const periodId = Number(asked.data.periodId);
  const answer = await requestRefund(
    await openDesk(game),
    { id, email, role },
    {
      draftId,
      periodId,
      baseline,
      amountText: amount,
      reason_code: reason,
      reason_text: words.trim() === '' ? null : words,
      confirmedWallet: confirmedWallet ?? null,
    },
  );
  if (!answer.ok) {
    if (answer.reason === 'changed' || answer.reason === 'wallet') revalidatePath(`/${game.slug}/periods/${periodId}/refund`);
    return answerRefused(answer);
  }
  revalidatePath(`/${game.slug}`, 'layout');
  redirect(`/${game.slug}/refunds/${answer.refundId}`);
}
