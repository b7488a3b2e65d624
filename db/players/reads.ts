import { sql } from 'kysely';
import type { Db } from '../kit/open.ts';

/** A player as Invo last reported them; email and name are null when neither a read nor a report contained them. */
export interface StoredPlayer {
  playerId: number;
  email: string | null;
  name: string | null;
  identityId: string | null;
  /** A month's report lists them as a recipient. */
  isRecipient: boolean;
}

interface Named {
  player_email: string | null;
  player_name: string | null;
  identity_id: string | null;
}

/** Finds what is stored about a player, from a read or a month's report; null when nothing is. The email is not masked. */
export async function findStoredPlayer(db: Db, gameId: number, playerId: number): Promise<StoredPlayer | null> {
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

/** The recipient in the newest snapshot, or in the newest one with an email when that has none. There may be hundreds of snapshots. */
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

// Stored subscriptions of one player that a page shows at most.
const KNOWN_SUBSCRIPTIONS_MAX = 200;

export interface PlayerSubscription {
  subscriptionId: string;
  itemName: string | null;
  /** Invo's status when last seen. */
  status: string | null;
  seenAt: string;
}

/** Lists a player's stored subscriptions, last seen first; Invo may have more. */
export async function listPlayerSubscriptions(db: Db, gameId: number, playerId: number): Promise<PlayerSubscription[]> {
  return await db
    .selectFrom('known_subscription')
    .where('game_id', '=', gameId)
    .where('player_id', '=', playerId)
    .orderBy('seen_at', 'desc')
    .orderBy('subscription_id')
    .limit(KNOWN_SUBSCRIPTIONS_MAX)
    .select(['subscription_id as subscriptionId', 'item_name as itemName', 'status', 'seen_at as seenAt'])
    .execute();
}

/** A player an email was ever reported for, by a read or by a month's report. */
export interface PlayerOfEmail {
  playerId: number;
  name: string | null;
  /** In its original case. */
  email: string | null;
  isRecipient: boolean;
}

/** Lists the players an email belongs or belonged to, case-insensitively, by player id. */
export async function listPlayersOfEmail(db: Db, gameId: number, email: string, limit: number): Promise<PlayerOfEmail[]> {
  const [known, recipients] = await Promise.all([listKnown(db, gameId, email, limit), listRecipients(db, gameId, email, limit)]);
  const byId = new Map([...recipients, ...known].map((player) => [player.playerId, player]));
  for (const { playerId, name } of recipients) {
    const player = byId.get(playerId);
    if (player) byId.set(playerId, { ...player, name: player.name ?? name, isRecipient: true });
  }
  return [...byId.values()].toSorted((a, b) => a.playerId - b.playerId).slice(0, limit);
}

async function listKnown(db: Db, gameId: number, email: string, limit: number): Promise<PlayerOfEmail[]> {
  const rows = await db
    .selectFrom('known_player')
    .where('game_id', '=', gameId)
    .where(isOf(email))
    .orderBy('player_id')
    .limit(limit)
    .select(['player_id as playerId', 'player_name as name', 'player_email as email'])
    .execute();
  return rows.map((row) => ({ ...row, isRecipient: false }));
}

/** A recipient is in hundreds of snapshots, so the newest of each is read by itself instead of all of them. */
async function listRecipients(db: Db, gameId: number, email: string, limit: number): Promise<PlayerOfEmail[]> {
  const found: PlayerOfEmail[] = [];
  while (found.length < limit) {
    const next = await db
      .selectFrom('snapshot_recipient')
      .where('game_id', '=', gameId)
      .where(isOf(email))
      .where('recipient_player_id', '>', found.at(-1)?.playerId ?? 0)
      .orderBy('recipient_player_id')
      .orderBy('snapshot_id', 'desc')
      .limit(1)
      .select(['recipient_player_id as playerId', 'player_name as name', 'player_email as email'])
      .executeTakeFirst();
    if (!next) break;
    found.push({ ...next, isRecipient: true });
  }
  return found;
}

function isOf(email: string) {
  return sql<boolean>`lower(player_email) = lower(${email})`;
}
