'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { receiveForm } from '#app/_server/receive-form.ts';
import { changePrice } from '#lib/subscriptions/change-price.ts';
import type { ChangeState } from '../_change/change-state.ts';
import { answerNotBegun, answerNotDone, refusedAt } from '../_change/change-words.ts';
import { targetShape } from '../_change/target-shape.ts';
import { AMOUNT_SENTENCES, HINDRANCE_VIEWS, rowsOfPrice, sayPriced } from './price-words.ts';

const shape = targetShape.extend({ amount: z.string().max(60), isNeverConfirmed: z.literal('yes').optional() });

// Refusals that speak of the amount stand beside it.
const OF_AMOUNT = ['PCSTORE_REAUTHORIZATION_REQUIRED', 'INVALID_FIELD_VALUE'];

/** Stages a price or clears a staged one as the form says, and answers with what became of it. */
export async function priceAction(_: ChangeState, form: FormData): Promise<ChangeState> {
  const received = await receiveForm(shape, form, 'subscriptions.change');
  if (received.kind === 'refused') return refusedAt('button', received.sentence);
  const { game, desk, actor, given } = received;
  const { subscriptionId, baseline, amount, isNeverConfirmed } = given;
  const priceForm = { subscriptionId, baseline, amountText: amount, isNeverConfirmed: isNeverConfirmed === 'yes' };
  const outcome = await changePrice(desk, actor, priceForm);
  revalidatePath(`/${game.slug}/subscriptions/${subscriptionId}`);
  switch (outcome.kind) {
    case 'hindered':
      return refusedAt('button', HINDRANCE_VIEWS[outcome.hindrance].sentence);
    case 'amount':
      return refusedAt(outcome.trouble === 'never_not_confirmed' ? 'never' : 'amount', AMOUNT_SENTENCES[outcome.trouble]);
    case 'done': {
      const rows = rowsOfPrice(outcome.receipt, outcome.answer, game.timeZone);
      return { kind: 'done', ...sayPriced(outcome, game.timeZone), rows, isRecorded: outcome.isRecorded };
    }
    case 'refused':
    case 'not_sent':
    case 'unknown':
      return answerNotDone(outcome, { what: 'price', ...outcome.asked }, (code) => (OF_AMOUNT.includes(code ?? '') ? 'amount' : 'button'));
    case 'changed':
    case 'no_answer':
    case 'not_found':
    case 'not_allowed':
      return answerNotBegun(outcome);
  }
}
