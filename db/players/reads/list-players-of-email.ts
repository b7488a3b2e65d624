import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';

/** A player an e-mail was ever told of, by a look-up or by a month's report. */
export interface PlayerOfEmail {
  playerId: number;
  name: string | null;
  /** As it is written there. */
  email: string | null;
  isRecipient: boolean;
}

/** Whom an e-mail belongs or belonged to, in whatever case it is written; by player id, at most so many. */
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

/** A recipient is in hundreds of statements, so the newest one of each is asked for by itself instead of reading them all. */
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
