import type { RefundFacts } from '../../domain/refund/period-facts.ts';
import { InvoError } from '../../invo/invo-error.ts';
import { sentence } from '../../invo/sentence.ts';
import { askWithin, type Desk, type Patience } from '../desk.ts';
import { readRefundFacts } from './read-refund-facts.ts';

/** Why Invo could not be asked: in a sentence, with the reference to quote. */
export interface NoAnswer {
  sentence: string;
  errorId: string | null;
}

/**
 * Reads what a refund of a period depends on for somebody who waits: five seconds at most. Without fresh facts no refund begins, so
 * nothing that is stored stands in for them.
 */
export async function readFreshFacts(desk: Desk, periodId: number, patience: Patience = {}): Promise<RefundFacts | NoAnswer> {
  try {
    return await askWithin(desk, patience, (client, signal) => readRefundFacts(client, periodId, desk.game.now(), signal));
  } catch (error) {
    if (error instanceof InvoError) return { sentence: sentence(error), errorId: error.errorId };
    throw error;
  }
}
