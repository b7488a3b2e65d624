import { wakeWorker } from '#db/kit/wake.ts';
import { isHouseAccount } from '../actions/reads/list-house-accounts.ts';
import type { OpenGame } from '../games/open-game.ts';
import { listRemainingNames, type RemainingNames } from './reads/names-in-bytes.ts';
import { eraseRecipient, findNamed } from './writes/erasures.ts';

/** What an erasure did. `house_account`: nothing, since the player is an account of the studio from which people send coins; `unknown`: nothing is stored of them. */
export type ErasureResult = ErasedPlayer | { kind: 'house_account' } | { kind: 'unknown' };

interface ErasedPlayer {
  kind: 'erased';
  /** false: they were erased before, and what was stored with their name since is removed. */
  isFirst: boolean;
  /** What still names them. */
  remaining: RemainingNames;
}

/**
 * Erases what names a recipient or another player of a game. Their figures stay, and the chain of snapshots stays verifiable. Files that named
 * them are rendered again.
 */
export async function erasePlayer(
  { db, gameId }: Pick<OpenGame, 'db' | 'gameId'>,
  erasure: { playerId: number; by: string; reason: string },
): Promise<ErasureResult> {
  if (await isHouseAccount(db, gameId, erasure.playerId)) return { kind: 'house_account' };
  // Afterwards nothing knows their emails.
  const people = await findNamed(db, { gameId, playerId: erasure.playerId });
  const isFirst = await eraseRecipient(db, { gameId, ...erasure });
  if (isFirst === null) return { kind: 'unknown' };
  await wakeWorker(db, { queue: 'rendition', gameId });
  return { kind: 'erased', isFirst, remaining: await listRemainingNames(db, gameId, people) };
}
