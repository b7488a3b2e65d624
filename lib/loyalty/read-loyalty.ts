import { askWithin, type Deadline, type GameContext, type InvoFailure, toInvoFailure } from '../games/game-context.ts';
import { InvoError, isAbsent } from '../invo/invo-error.ts';
import type { LoyaltyCards } from '../invo/routes/loyalty.ts';

/**
 * A player's loyalty cards, asked now: the answer is `no-store`, so nothing is kept. `not_set_up`: the game has no loyalty at Invo. `not_found`:
 * Invo has no such player there. `nothing`: Invo couldn't be asked, and no older cards are shown.
 */
export type LoyaltyDetail =
  | { kind: 'live'; value: LoyaltyCards; readAt: string }
  | { kind: 'not_set_up'; error: InvoFailure }
  | { kind: 'not_found' }
  | { kind: 'nothing'; error: InvoFailure };

/** Reads a player's loyalty cards. Never throws InvoError, and stores nothing. */
export async function readLoyalty(context: GameContext, email: string, deadline: Deadline = {}): Promise<LoyaltyDetail> {
  try {
    const value = await askWithin(context, deadline, (client, signal) => client.loyaltyCards(email, signal));
    return { kind: 'live', value, readAt: context.game.now() };
  } catch (error) {
    if (!(error instanceof InvoError)) throw error;
    if (isAbsent(error)) return { kind: 'not_found' };
    // Document 1: any 409 of this route says that the game is not set up for loyalty.
    return { kind: error.status === 409 ? 'not_set_up' : 'nothing', error: toInvoFailure(error, { isPlayer: true, isUnstored: true }) };
  }
}
