import type { OpenGame } from '../games/open-game.ts';
import { type KnownSubject, listSubjectsBeside } from '../webhooks/reads/deliveries-about.ts';
import { type KnownTransfer, listReceivedTransfers, listTransfersOf } from './reads.ts';

// Transfers of a player listed from webhooks at most.
const NAMED_MAX = 200;

/** The transfers of a player that Sharebook knows. Invo lists none, so there may be more. */
export interface PlayerTransfers {
  read: KnownTransfer[];
  /** Named by webhooks together with the player. */
  named: KnownSubject[];
  /** Those whose status names the player as their receiver. */
  receivedIds: ReadonlySet<string>;
}

/** Finds everything stored that names a transfer of a player; nothing here calls Invo. */
export async function findPlayerTransfers(
  { db, gameId }: Pick<OpenGame, 'db' | 'gameId'>,
  { playerId, identityId }: { playerId: number; identityId: string | null },
): Promise<PlayerTransfers> {
  const beside = [
    { kind: 'player' as const, idText: String(playerId) },
    ...(identityId === null ? [] : [{ kind: 'identity' as const, idText: identityId }]),
  ];
  const [received, named] = await Promise.all([
    identityId === null ? [] : listReceivedTransfers(db, gameId, identityId),
    listSubjectsBeside(db, gameId, 'transfer', beside, NAMED_MAX),
  ]);
  const receivedIds = new Set(received.map(({ transactionId }) => transactionId));
  const others = named.map(({ idText }) => idText).filter((id) => !receivedIds.has(id));
  return { read: [...received, ...(await listTransfersOf(db, gameId, others))], named, receivedIds };
}
