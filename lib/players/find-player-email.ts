import { findStoredPlayer } from '#db/players/reads.ts';
import type { Desk } from '../games/game-context.ts';
import { isAskedEmail } from '../invo/path-segment.ts';
import type { SubscriptionRead } from '../invo/support/subscription-object.ts';

/** The e-mail by which Invo is asked about who holds a subscription. `isHeld`: not told now but earlier, so it may be somebody else's by now. */
export interface PlayerEmail {
  email: string;
  isHeld: boolean;
}

/** Finds the e-mail held of a player; null when there is none to ask by. */
export type FindStoredEmail = (playerId: number) => Promise<string | null>;

/** Finds the e-mails held of a game's players, by earlier look-ups or as recipients of a report. */
export function storedEmailsOf({ game }: Pick<Desk, 'game'>): FindStoredEmail {
  return async (playerId) => (await findStoredPlayer(game.db, game.gameId, playerId))?.email ?? null;
}

/** The e-mail of who holds a subscription: as Invo tells it now, else as it is held; null when neither can be asked by. */
export async function findPlayerEmail({ subscription, player }: SubscriptionRead, findHeld: FindStoredEmail): Promise<PlayerEmail | null> {
  const told = player?.player_email ?? null;
  if (told !== null && isAskedEmail(told)) return { email: told, isHeld: false };
  const held = await findHeld(subscription.player_id);
  return held !== null && isAskedEmail(held) ? { email: held, isHeld: true } : null;
}
