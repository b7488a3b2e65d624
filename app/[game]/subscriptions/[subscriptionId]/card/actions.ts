'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { changeCard } from '../../../../../lib/operations/subscription/change-card.ts';
import { checkOrigin } from '../../../../_server/action.ts';
import { openDesk } from '../../../../_server/desk.ts';
import { requireGame } from '../../../../_server/game.ts';
import { requirePerson } from '../../../../_server/session.ts';
import type { ChangeState } from '../_change/change-state.ts';
import { answerNotBegun, answerNotDone, NOT_WHOLE, refusedAt } from '../_change/change-words.ts';
import { targetShape } from '../_change/target-shape.ts';
import { CARD_GONE, CARD_HINDRANCES, CONVERSION_NEEDED, placeOfCardRefusal, rowsOfCard, sayCardSet } from './card-words.ts';

const given = targetShape.extend({ cardId: z.string().regex(/^[1-9]\d{0,14}$/), isConversionConfirmed: z.literal('yes').optional() });

/** Sets the card the form names, and answers with what became of it. */
export async function cardAction(_: ChangeState, form: FormData): Promise<ChangeState> {
  const foreign = await checkOrigin();
  if (foreign) return refusedAt('button', foreign.sentence);
  const { id, email, role } = await requirePerson('subscriptions.change');
  const asked = given.safeParse(Object.fromEntries(form));
  if (!asked.success) return refusedAt('button', NOT_WHOLE);
  const { subscriptionId, baseline, cardId, isConversionConfirmed } = asked.data;
  const game = await requireGame(asked.data.game);
  const cardForm = { subscriptionId, baseline, cardId: Number(cardId), isConversionConfirmed: isConversionConfirmed === 'yes' };
  const outcome = await changeCard(await openDesk(game), { id, email, role }, cardForm);
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
