'use server';

import { z } from 'zod';
import { digestShape, formAction, idShape, slugShape, subscriptionIdShape } from '#app/_server/form-action.ts';
import { REASON_LENGTH_MAX } from '#lib/core/typed-input.ts';
import { cancelSubscription, changeCard, changePrice } from '#lib/subscriptions/change-subscription.ts';
import { CANCEL_TIMES, type RequestedChange } from '#lib/subscriptions/rules/changes.ts';
import type { ChangeNotStarted, SentChange } from '#lib/subscriptions/send-change.ts';
import { CARD_BLOCKERS, CARD_GONE, CONVERSION_NEEDED, PRICE_BLOCKERS, PRICE_ERRORS } from '#lib/subscriptions/text.ts';
import type { ChangeField, ChangeState } from './change-state.ts';
import { cancelRows, cardRows, formatCanceled, formatCardChanged, formatEnded, formatPriceChanged, priceRows } from './text.ts';

// The hidden fields of every change form.
const targetShape = z.object({ game: slugShape, subscriptionId: subscriptionIdShape, baseline: digestShape });

const cancelShape = targetShape.extend({ when: z.enum(CANCEL_TIMES), reason: z.string().max(5_000) });

/** Cancels the subscription as the form says and returns the outcome. */
export const cancelAction = formAction(
  { schema: cancelShape, who: 'subscriptions.change', game: true },
  async ({ form, actor, game, context }): Promise<ChangeState> => {
    const { subscriptionId, baseline, when, reason } = form;
    const outcome = await cancelSubscription(context, actor, { subscriptionId, baseline, when, reason });
    switch (outcome.kind) {
      case 'reason_too_long':
        return refusedAt('reason', `Shorten the reason to ${REASON_LENGTH_MAX} characters or fewer.`);
      case 'already_ended': {
        const sentences = [formatEnded(outcome.finalStatus, outcome.accessUntil, game.timeZone, game.now())];
        return { kind: 'receipt', title: 'The subscription had already ended', sentences, rows: [], isRecorded: true };
      }
      case 'done': {
        const rows = cancelRows(outcome.receipt, game.timeZone);
        return { kind: 'receipt', ...formatCanceled(outcome.answer, game.timeZone), rows, isRecorded: outcome.isRecorded };
      }
      case 'refused':
      case 'not_sent':
      case 'unknown':
        return stateOfNotDone(outcome, { what: 'cancel', when }, () => 'button');
      case 'changed':
      case 'no_answer':
      case 'not_found':
      case 'not_allowed':
        return stateOfNotStarted(outcome);
    }
  },
);

const priceShape = targetShape.extend({ amount: z.string().max(60), isNeverConfirmed: z.literal('yes').optional() });

/** Changes the price, or clears a pending one, as the form says and returns the outcome. */
export const priceAction = formAction(
  { schema: priceShape, who: 'subscriptions.change', game: true },
  async ({ form, actor, game, context }): Promise<ChangeState> => {
    const { subscriptionId, baseline, amount, isNeverConfirmed } = form;
    const priceForm = { subscriptionId, baseline, amountText: amount, isNeverConfirmed: isNeverConfirmed === 'yes' };
    const outcome = await changePrice(context, actor, priceForm);
    switch (outcome.kind) {
      case 'blocked':
        return refusedAt('button', PRICE_BLOCKERS[outcome.blocker].sentence);
      case 'amount':
        return refusedAt(outcome.error === 'never_not_confirmed' ? 'never' : 'amount', PRICE_ERRORS[outcome.error]);
      case 'done': {
        const rows = priceRows(outcome.receipt, outcome.answer, game.timeZone);
        return { kind: 'receipt', ...formatPriceChanged(outcome, game.timeZone), rows, isRecorded: outcome.isRecorded };
      }
      case 'refused':
      case 'not_sent':
      case 'unknown':
        return stateOfNotDone(outcome, { what: 'price', ...outcome.requested }, fieldOfPriceError);
      case 'changed':
      case 'no_answer':
      case 'not_found':
      case 'not_allowed':
        return stateOfNotStarted(outcome);
    }
  },
);

const cardShape = targetShape.extend({ cardId: idShape, isConversionConfirmed: z.literal('yes').optional() });

/** Sets the card the form names and returns the outcome. */
export const cardAction = formAction(
  { schema: cardShape, who: 'subscriptions.change', game: true },
  async ({ form, actor, context }): Promise<ChangeState> => {
    const { subscriptionId, baseline, cardId, isConversionConfirmed } = form;
    const cardForm = { subscriptionId, baseline, cardId, isConversionConfirmed: isConversionConfirmed === 'yes' };
    const outcome = await changeCard(context, actor, cardForm);
    switch (outcome.kind) {
      case 'blocked':
        return refusedAt('button', CARD_BLOCKERS[outcome.blocker].sentence);
      case 'card_gone':
        return refusedAt('card', CARD_GONE);
      case 'conversion_not_confirmed':
        return refusedAt('conversion', CONVERSION_NEEDED);
      case 'done': {
        const rows = cardRows(outcome.answer, outcome.card, outcome.isConversion);
        return { kind: 'receipt', ...formatCardChanged(outcome.answer, outcome.isConversion), rows, isRecorded: outcome.isRecorded };
      }
      case 'refused':
      case 'not_sent':
      case 'unknown':
        return stateOfNotDone(outcome, { what: 'card', isConversion: outcome.isConversion }, fieldOfCardError);
      case 'changed':
      case 'no_answer':
      case 'not_found':
      case 'not_allowed':
        return stateOfNotStarted(outcome);
    }
  },
);

/** The state of a form whose change didn't start; nothing was sent. */
function stateOfNotStarted(outcome: ChangeNotStarted): ChangeState {
  switch (outcome.kind) {
    case 'changed':
      return { kind: 'changed' };
    case 'no_answer':
      return { kind: 'failed', sentence: outcome.sentence, errorId: outcome.errorId };
    case 'not_found':
      return refusedAt('button', 'Invo doesn’t know this subscription in this game and environment. Nothing was sent.');
    case 'not_allowed':
      return refusedAt('button', 'Your role can’t change subscriptions. Nothing was sent.');
  }
}

/** The state of a form whose change wasn't confirmed; `fieldOf` names the field that a refusal is about. */
function stateOfNotDone(
  outcome: Exclude<SentChange<unknown>, { kind: 'done' }>,
  requested: RequestedChange,
  fieldOf: (errorCode: string | null) => ChangeField,
): ChangeState {
  if (outcome.kind === 'refused')
    return { kind: 'refused', at: fieldOf(outcome.errorCode), sentence: outcome.sentence, errorId: outcome.errorId };
  if (outcome.kind === 'not_sent')
    return { kind: 'failed', sentence: 'Couldn’t reach Invo in time. The subscription is unchanged.', errorId: null };
  return { kind: 'unknown', sentence: outcome.sentence, errorId: outcome.errorId, requested, isRecorded: outcome.isRecorded };
}

/** A refusal without an error ID. */
function refusedAt(field: ChangeField, sentence: string): ChangeState {
  return { kind: 'refused', at: field, sentence, errorId: null };
}

/** The field of the price form that an error code is about. */
function fieldOfPriceError(errorCode: string | null): ChangeField {
  return errorCode === 'PCSTORE_REAUTHORIZATION_REQUIRED' || errorCode === 'INVALID_FIELD_VALUE' ? 'amount' : 'button';
}

/** The field of the card form that an error code is about. */
function fieldOfCardError(errorCode: string | null): ChangeField {
  if (errorCode?.startsWith('WALLET_ONLY') === true) return 'conversion';
  return errorCode?.startsWith('PAYMENT_METHOD') === true ? 'card' : 'button';
}
