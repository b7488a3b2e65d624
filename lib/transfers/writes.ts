import { type Db, databaseInstant } from '#db/kit/open.ts';
import { newerValues } from '#db/kit/upsert.ts';
import { isKeyLength } from '#lib/subscriptions/writes.ts';
import type { KnownTransfer } from './reads.ts';

/** A transfer as Invo reports it now. */
interface NewTransfer extends Omit<KnownTransfer, 'readAt'> {
  /** The identity that receives it; null: not reported. */
  toIdentityId: string | null;
}

/** Records what Invo reported of a transfer and replaces its answer to an earlier request. `sentAt_ms`: when the request was sent. */
export async function recordTransfer(db: Db, gameId: number, transfer: NewTransfer, sentAt_ms: number): Promise<void> {
  if (!isKeyLength(transfer.transactionId)) return;
  const { transaction_status, verification_state, amount, net_amount, claimExpiresAt, isDestination, toIdentityId } = transfer;
  const columns = ['transaction_status', 'verification_state', 'amount', 'net_amount', 'claim_expires_at', 'is_destination'] as const;
  await db
    .insertInto('known_transfer')
    .values({
      game_id: gameId,
      transaction_id: transfer.transactionId,
      transaction_status,
      verification_state,
      amount,
      net_amount,
      claim_expires_at: claimExpiresAt,
      is_destination: isDestination,
      to_identity_id: toIdentityId,
      read_at: databaseInstant(sentAt_ms),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['game_id', 'transaction_id'])
        .doUpdateSet(newerValues('known_transfer', { columns: [...columns, 'to_identity_id', 'read_at'] }))
        .whereRef('known_transfer.read_at', '<=', 'excluded.read_at'),
    )
    .execute();
}
