'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { receiveForm } from '#app/_server/receive-form.ts';
import { REASON_LENGTH_MAX } from '#lib/core/typed-text.ts';
import { cancelSubscription } from '#lib/subscriptions/cancel-subscription.ts';
import { CANCEL_TIMES } from '#lib/subscriptions/rules/foresee-cancel.ts';
import type { ChangeState } from '../_change/change-state.ts';
import { answerNotBegun, answerNotDone, refusedAt } from '../_change/change-words.ts';
import { targetShape } from '../_change/target-shape.ts';
import { rowsOfCancel, sayCanceled, sayFinal } from './cancel-words.ts';

const shape = targetShape.extend({ when: z.enum(CANCEL_TIMES), reason: z.string().max(5_000) });

/** Cancels a subscription as the form says, and answers with what became of it. */
export async function cancelAction(_: ChangeState, form: FormData): Promise<ChangeState> {
  const received = await receiveForm(shape, form, 'subscriptions.change');
  if (received.kind === 'refused') return refusedAt('button', received.sentence);
  const { game, desk, actor, given } = received;
  const { subscriptionId, baseline, when, reason } = given;
  const outcome = await cancelSubscription(desk, actor, { subscriptionId, baseline, when, reason });
  revalidatePath(`/${game.slug}/subscriptions/${subscriptionId}`);
  switch (outcome.kind) {
    case 'reason_too_long':
      return refusedAt('reason', `Invo keeps ${REASON_LENGTH_MAX} characters at most. Shorten the reason.`);
    case 'already_ended': {
      const sentences = [sayFinal(outcome.finalStatus, outcome.accessUntil, game.timeZone)];
      return { kind: 'done', title: 'It had ended already', sentences, rows: [], isRecorded: true };
    }
    case 'done': {
      const rows = rowsOfCancel(outcome.receipt, game.timeZone);
      return { kind: 'done', ...sayCanceled(outcome.answer, game.timeZone), rows, isRecorded: outcome.isRecorded };
    }
    case 'refused':
    case 'not_sent':
    case 'unknown':
      return answerNotDone(outcome, { what: 'cancel', when }, () => 'button');
    case 'changed':
    case 'no_answer':
    case 'not_found':
    case 'not_allowed':
      return answerNotBegun(outcome);
  }
}
