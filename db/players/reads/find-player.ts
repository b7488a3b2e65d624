import type { Db } from '#db/kit/open.ts';

/** Who a player is, as Invo said last; e-mail and name null where neither a look-up nor a report told them. */
export interface HeldPlayer {
  playerId: number;
  email: string | null;
  name: string | null;
  identityId: string | null;
  /** A month's report names them as a recipient. */
  isRecipient: boolean;
}

interface Named {
  player_email: string | null;
  player_name: string | null;
  identity_id: string | null;
}

/** What is held of a player, by a look-up or as a recipient of a report; null when nothing is. The e-mail comes in full. */
export async function findHeldPlayer(db: Db, gameId: number, playerId: number): Promise<HeldPlayer | null> {
  const [known, recipient] = await Promise.all([
    db
      .selectFrom('known_player')
      .select(['player_email', 'player_name', 'identity_id'])
      .where('game_id', '=', gameId)
      .where('player_id', '=', playerId)
      .executeTakeFirst(),
    findRecipient(db, gameId, playerId),
  ]);
  if (!known && !recipient && !(await holdsSubscription(db, gameId, playerId))) return null;
  return {
    playerId,
    email: known?.player_email ?? recipient?.player_email ?? null,
    name: known?.player_name ?? recipient?.player_name ?? null,
    identityId: known?.identity_id ?? recipient?.identity_id ?? null,
    isRecipient: recipient !== undefined,
  };
}

/** As the newest statement names the recipient; where that has no e-mail, as the newest with one does. There may be hundreds of statements. */
async function findRecipient(db: Db, gameId: number, playerId: number): Promise<Named | undefined> {
  const newest = db
    .selectFrom('snapshot_recipient')
    .select(['player_email', 'player_name', 'identity_id'])
    .where('game_id', '=', gameId)
    .where('recipient_player_id', '=', playerId)
    .orderBy('snapshot_id', 'desc')
    .limit(1);
  const recipient = await newest.executeTakeFirst();
  if (!recipient || recipient.player_email !== null) return recipient;
  return (await newest.where('player_email', 'is not', null).executeTakeFirst()) ?? recipient;
}

async function holdsSubscription(db: Db, gameId: number, playerId: number): Promise<boolean> {
  const subscription = await db
    .selectFrom('known_subscription')
    .select('subscription_id')
    .where('game_id', '=', gameId)
    .where('player_id', '=', playerId)
    .limit(1)
    .executeTakeFirst();
  return subscription !== undefined;
}
