'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { idShape } from '#app/_server/form-shapes.ts';
import { receiveForm } from '#app/_server/receive-form.ts';
import { changeCard } from '#lib/subscriptions/change-card.ts';
import type { ChangeState } from '../_change/change-state.ts';
import { answerNotBegun, answerNotDone, refusedAt } from '../_change/change-words.ts';
import { targetShape } from '../_change/target-shape.ts';
import { CARD_GONE, CARD_HINDRANCES, CONVERSION_NEEDED, placeOfCardRefusal, rowsOfCard, sayCardSet } from './card-words.ts';

const shape = targetShape.extend({ cardId: idShape, isConversionConfirmed: z.literal('yes').optional() });

/** Sets the card the form names, and answers with what became of it. */
export async function cardAction(_: ChangeState, form: FormData): Promise<ChangeState> {
  const received = await receiveForm(shape, form, 'subscriptions.change');
  if (received.kind === 'refused') return refusedAt('button', received.sentence);
  const { game, desk, actor, given } = received;
  const { subscriptionId, baseline, cardId, isConversionConfirmed } = given;
  const cardForm = { subscriptionId, baseline, cardId, isConversionConfirmed: isConversionConfirmed === 'yes' };
  const outcome = await changeCard(desk, actor, cardForm);
  revalidatePath(`/${game.slug}/subscriptions/${subscriptionId}`);
  switch (outcome.kind) {
    case 'hindered':
      return refusedAt('button', CARD_HINDRANCES[outcome.hindrance].sentence);
    case 'card_gone':
      return refusedAt('card', CARD_GONE);
    case 'conversion_not_confirmed':
      return refusedAt('conversion', CONVERSION_NEEDED);
    case 'done': {
      const rows = rowsOfCard(outcome.answer, outcome.card, outcome.isConversion);
      return { kind: 'done', ...sayCardSet(outcome.answer, outcome.isConversion), rows, isRecorded: outcome.isRecorded };
    }
    case 'refused':
    case 'not_sent':
    case 'unknown':
      return answerNotDone(outcome, { what: 'card', isConversion: outcome.isConversion }, placeOfCardRefusal);
    case 'changed':
    case 'no_answer':
    case 'not_found':
    case 'not_allowed':
      return answerNotBegun(outcome);
  }
}
