import type { OpenGame } from '../games/open-game.ts';
import { type KnownSubject, listSubjectsBeside } from '../webhooks/reads/deliveries-about.ts';
import { listWithTimes } from './read-order.ts';
import { type KnownOrder, listMintedOrders, listOrdersOfPlayer, type MintedPeriod } from './reads.ts';

// Orders of a player listed from webhooks at most.
const NAMED_MAX = 200;

/** The orders of a player that Sharebook knows. Invo lists none, so there may be more. */
export interface PlayerOrders {
  /** Read from Invo, the last read first; `createdAt` null: its stored answer reports no time. */
  read: (KnownOrder & { createdAt: string | null })[];
  /** Charged by renewals of the player's known subscriptions. */
  minted: MintedPeriod[];
  /** Named by webhooks together with the player. */
  named: KnownSubject[];
}

/** Finds everything stored that names an order of a player; nothing here calls Invo. */
export async function findPlayerOrders(
  game: Pick<OpenGame, 'db' | 'gameId'>,
  { playerId, identityId }: { playerId: number; identityId: string | null },
): Promise<PlayerOrders> {
  const { db, gameId } = game;
  const beside = [
    { kind: 'player' as const, idText: String(playerId) },
    ...(identityId === null ? [] : [{ kind: 'identity' as const, idText: identityId }]),
  ];
  const [read, minted, named] = await Promise.all([
    listOrdersOfPlayer(db, gameId, playerId),
    listMintedOrders(db, gameId, playerId),
    listSubjectsBeside(db, gameId, 'order', beside, NAMED_MAX),
  ]);
  return { read: await listWithTimes(game, read), minted, named };
}
