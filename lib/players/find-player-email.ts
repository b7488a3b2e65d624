import type { GameContext } from '../games/game-context.ts';
import { isSearchableEmail } from '../invo/request-path.ts';
import type { SubscriptionRead } from '../invo/routes/support-reads.ts';
import { findStoredPlayer } from './reads.ts';

/** The email that requests to Invo name a player by. `isStored`: reported earlier and not now, so it may belong to another player by now. */
export interface PlayerEmail {
  email: string;
  isStored: boolean;
}

/** Finds the stored email of a player; null when there is none. */
export type FindStoredEmail = (playerId: number) => Promise<string | null>;

/** Finds stored emails of a game's players, from earlier reads or a month's report. */
export function storedEmailsOf({ game }: Pick<GameContext, 'game'>): FindStoredEmail {
  return async (playerId) => (await findStoredPlayer(game.db, game.gameId, playerId))?.email ?? null;
}

/** Finds the email of a subscription's player: reported now, else stored; null when there is neither. */
export async function findPlayerEmail(
  { subscription, player }: SubscriptionRead,
  findStored: FindStoredEmail,
): Promise<PlayerEmail | null> {
  const reported = player?.player_email ?? null;
  if (reported !== null && isSearchableEmail(reported)) return { email: reported, isStored: false };
  const stored = await findStored(subscription.player_id);
  return stored !== null && isSearchableEmail(stored) ? { email: stored, isStored: true } : null;
}
