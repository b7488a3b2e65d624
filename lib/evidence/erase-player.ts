import type { OpenGame } from '../games/open-game.ts';
import { listRemainingNames, type RemainingNames } from './reads/names-in-bytes.ts';
import { eraseRecipient, findNamed } from './writes/erasures.ts';
import { wakeRendition } from './writes/renditions.ts';

export interface ErasedPlayer {
  /** false: they were erased before, and what was stored with their name since is removed. */
  isFirst: boolean;
  /** What still names them. */
  remaining: RemainingNames;
}

/**
 * Erases what names a recipient or another player of a game. Their figures stay, and the chain of snapshots stays verifiable. Files that named
 * them are rendered again. Null: nothing is stored of them.
 */
export async function erasePlayer(
  { db, gameId }: Pick<OpenGame, 'db' | 'gameId'>,
  erasure: { playerId: number; by: string; reason: string },
): Promise<ErasedPlayer | null> {
  // Afterwards nothing knows their emails.
  const people = await findNamed(db, { gameId, playerId: erasure.playerId });
  const isFirst = await eraseRecipient(db, { gameId, ...erasure });
  if (isFirst === null) return null;
  await wakeRendition(db, gameId);
  return { isFirst, remaining: await listRemainingNames(db, gameId, people) };
}
