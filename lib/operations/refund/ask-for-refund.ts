import { InvoError } from '../../invo/invo-error.ts';
import { sentence } from '../../invo/sentence.ts';
import type { Actor } from '../actor.ts';
import { askWithin, type Desk, type Patience } from '../desk.ts';
import type { NoAnswer } from './read-fresh-facts.ts';
import { type RefundForm, type RefundRequested, requestRefund } from './request-refund.ts';

/** Asks for a refund on behalf of somebody who waits: where Invo cannot be asked within five seconds nothing was stored and nothing is sent. */
export async function askForRefund(
  desk: Desk,
  actor: Actor,
  form: RefundForm,
  patience: Patience = {},
): Promise<RefundRequested | ({ ok: false; reason: 'no_answer' } & NoAnswer)> {
  const { game, config } = desk;
  try {
    return await askWithin(desk, patience, (client, signal) => requestRefund(game, config.environment, client, actor, form, signal));
  } catch (error) {
    if (error instanceof InvoError) return { ok: false, reason: 'no_answer', sentence: sentence(error), errorId: error.errorId };
    throw error;
  }
}
