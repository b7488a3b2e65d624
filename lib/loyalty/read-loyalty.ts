import { askWithin, type Deadline, type GameContext, type InvoFailure, toInvoFailure } from '../games/game-context.ts';
import { InvoError, isAbsent } from '../invo/invo-error.ts';
import type { LoyaltyCards } from '../invo/routes/loyalty.ts';
import { readLoyaltyCards } from '../invo/routes/loyalty.ts';

/** Why a game has no loyalty at Invo until a setting there is changed; asking again can't help. */
type LoyaltySetting = 'not_set_up' | 'not_migrated' | 'not_enabled';

/**
 * A player's loyalty cards, requested now: the answer is `no-store`, so nothing is stored. `not_found`: Invo has no such player there. `nothing`: Invo
 * couldn't be reached or refused otherwise, and no older cards are shown.
 */
export type LoyaltyDetail =
  | { kind: 'live'; value: LoyaltyCards; readAt: string }
  | { kind: LoyaltySetting; error: InvoFailure }
  | { kind: 'not_found' }
  | { kind: 'nothing'; error: InvoFailure };

/** Reads a player's loyalty cards. Never throws InvoError, and stores nothing. */
export async function readLoyalty(context: GameContext, email: string, deadline: Deadline = {}): Promise<LoyaltyDetail> {
  try {
    const value = await askWithin(context, deadline, (invo, signal) => readLoyaltyCards(invo, email, signal));
    return { kind: 'live', value, readAt: context.game.now() };
  } catch (error) {
    if (!(error instanceof InvoError)) throw error;
    // Document 1: of all codes of a 404 this one is about the player; an unknown route is a 404 too.
    if (isAbsent(error) && isCode(error, 'PLAYER_NOT_FOUND')) return { kind: 'not_found' };
    return { kind: settingOf(error) ?? 'nothing', error: toInvoFailure(error, { isPlayer: true, isUnstored: true }) };
  }
}

function settingOf(error: InvoError): LoyaltySetting | null {
  // Document 1: any 409 of this route says that the game is not set up for loyalty.
  if (error.status === 409) return 'not_set_up';
  if (isCode(error, 'TENANT_NOT_MIGRATED')) return 'not_migrated';
  return isCode(error, 'sdk_verification_disabled') ? 'not_enabled' : null;
}

function isCode({ errorCode }: InvoError, code: string): boolean {
  return errorCode?.toLowerCase() === code.toLowerCase();
}
