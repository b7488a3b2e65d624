import { askWithin, type Deadline, type GameContext, type InvoFailure, toInvoFailure } from '../games/game-context.ts';
import type { InvoClient } from '../invo/client.ts';
import { heldEmailsOf } from '../players/find-player-email.ts';
import { readRefundFacts } from './read-refund-facts.ts';
import type { RefundFacts } from './rules/period-facts.ts';

/** Reads what a refund of a period depends on, or says why Invo could not be asked. */
export type RefundFactsReader = (desk: GameContext, periodId: number) => Promise<RefundFacts | InvoFailure>;

/**
 * Reads what a refund of a period depends on for somebody who waits: five seconds at most. Without fresh facts no refund begins, so
 * nothing that is stored stands in for them.
 */
export async function readFreshFacts(desk: GameContext, periodId: number, patience: Deadline = {}): Promise<RefundFacts | InvoFailure> {
  const read = (client: InvoClient, signal: AbortSignal): Promise<RefundFacts> =>
    readRefundFacts(client, periodId, desk.game.now(), signal, heldEmailsOf(desk));
  return await askWithin(desk, patience, read).catch(toInvoFailure);
}
