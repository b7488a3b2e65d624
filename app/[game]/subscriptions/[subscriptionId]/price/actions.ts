'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { changePrice } from '../../../../../lib/operations/subscription/change-price.ts';
import { checkOrigin } from '../../../../_server/action.ts';
import { openDesk } from '../../../../_server/desk.ts';
import { requireGame } from '../../../../_server/game.ts';
import { requirePerson } from '../../../../_server/session.ts';
import type { ChangeState } from '../_change/change-state.ts';
import { answerNotBegun, answerNotDone, NOT_WHOLE, refusedAt } from '../_change/change-words.ts';
import { targetShape } from '../_change/target-shape.ts';
import { AMOUNT_SENTENCES, HINDRANCE_VIEWS, rowsOfPrice, sayPriced } from './price-words.ts';

const given = targetShape.extend({ amount: z.string().max(60), isNeverConfirmed: z.literal('yes').optional() });

// Refusals that speak of the amount stand beside it.
const OF_AMOUNT = ['PCSTORE_REAUTHORIZATION_REQUIRED', 'INVALID_FIELD_VALUE'];

/** Stages a price or clears a staged one as the form says, and answers with what became of it. */
export async function priceAction(_: ChangeState, form: FormData): Promise<ChangeState> {
  const foreign = await checkOrigin();
  if (foreign) return refusedAt('button', foreign.sentence);
  const { id, email, role } = await requirePerson('subscriptions.change');
  const asked = given.safeParse(Object.fromEntries(form));
  if (!asked.success) return refusedAt('button', NOT_WHOLE);
  const { subscriptionId, baseline, amount, isNeverConfirmed } = asked.data;
  const game = await requireGame(asked.data.game);
  const priceForm = { subscriptionId, baseline, amountText: amount, isNeverConfirmed: isNeverConfirmed === 'yes' };
  const outcome = await changePrice(await openDesk(game), { id, email, role }, priceForm);
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
