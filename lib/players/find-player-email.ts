import { findHeldPlayer } from '#db/players/reads/find-player.ts';
import type { GameContext } from '../games/game-context.ts';
import type { SubscriptionRead } from '../invo/routes/support-reads.ts';
import { isAskedEmail } from '../invo/transport/request-path.ts';

/** The e-mail by which Invo is asked about who holds a subscription. `isHeld`: not told now but earlier, so it may be somebody else's by now. */
export interface PlayerEmail {
  email: string;
  isHeld: boolean;
}

/** Finds the e-mail held of a player; null when there is none to ask by. */
export type FindHeldEmail = (playerId: number) => Promise<string | null>;

/** Finds the e-mails held of a game's players, by earlier look-ups or as recipients of a report. */
export function heldEmailsOf({ game }: Pick<GameContext, 'game'>): FindHeldEmail {
  return async (playerId) => (await findHeldPlayer(game.db, game.gameId, playerId))?.email ?? null;
}

/** The e-mail of who holds a subscription: as Invo tells it now, else as it is held; null when neither can be asked by. */
export async function findPlayerEmail({ subscription, player }: SubscriptionRead, findHeld: FindHeldEmail): Promise<PlayerEmail | null> {
  const told = player?.player_email ?? null;
  if (told !== null && isAskedEmail(told)) return { email: told, isHeld: false };
  const held = await findHeld(subscription.player_id);
  return held !== null && isAskedEmail(held) ? { email: held, isHeld: true } : null;
}
