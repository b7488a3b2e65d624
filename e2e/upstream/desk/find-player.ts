import type { Player } from '../model.ts';
import type { Book } from '../report/book.ts';

/** Recipients joined before anybody nominated them. */
const RECIPIENTS_JOINED_MS = Date.UTC(2023, 10, 6, 15, 30);

export interface KnownPlayer {
  player: Player;
  joinedMs: number;
}

/** The player of the game behind an e-mail: who subscribes, who is paid to, or whom the world lists; null when never seen. */
export function findPlayer(book: Book, email: string): KnownPlayer | null {
  const begun = book.world.subscriptionsOf(email).filter(({ createdMs }) => createdMs <= book.nowMs);
  const first = begun.sort((a, b) => a.createdMs - b.createdMs)[0];
  if (first !== undefined) return { player: first.player, joinedMs: first.createdMs - 3_600_000 };
  const listed = book.world.player(email);
  if (listed !== null) return { player: listed, joinedMs: RECIPIENTS_JOINED_MS };
  const recipientId = Number(/(\d{4,9})@creators\.example$/.exec(email)?.[1] ?? '0');
  const identity = recipientId === 0 ? null : book.world.recipient(recipientId).identity;
  return identity?.email === email ? { player: { playerId: recipientId, ...identity }, joinedMs: RECIPIENTS_JOINED_MS } : null;
}
