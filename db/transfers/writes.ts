import { sql } from 'kysely';
import type { Db } from '../kit/open.ts';
import type { KnownTransfer } from './reads.ts';

/** Records what Invo reported of a transfer in place of what it reported before. */
export async function recordTransfer(db: Db, gameId: number, transfer: Omit<KnownTransfer, 'readAt'>): Promise<void> {
  const values = {
    transaction_status: transfer.transaction_status,
    verification_state: transfer.verification_state,
    amount: transfer.amount,
    net_amount: transfer.net_amount,
    claim_expires_at: transfer.claimExpiresAt,
    is_destination: transfer.isDestination,
    read_at: sql<string>`clock_timestamp()`,
  };
  await db
    .insertInto('known_transfer')
    .values({ game_id: gameId, transaction_id: transfer.transactionId, ...values })
    .onConflict((conflict) => conflict.columns(['game_id', 'transaction_id']).doUpdateSet(values))
    .execute();
}
