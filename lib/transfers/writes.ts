import { type Db, databaseInstant } from '#db/kit/open.ts';
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
  await db
    .insertInto('known_transfer')
    .values({
      game_id: gameId,
      transaction_id: transfer.transactionId,
      transaction_status: transfer.transaction_status,
      verification_state: transfer.verification_state,
      amount: transfer.amount,
      net_amount: transfer.net_amount,
      claim_expires_at: transfer.claimExpiresAt,
      is_destination: transfer.isDestination,
      to_identity_id: transfer.toIdentityId,
      read_at: databaseInstant(sentAt_ms),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['game_id', 'transaction_id'])
        .doUpdateSet((excluded) => ({
          transaction_status: excluded.ref('excluded.transaction_status'),
          verification_state: excluded.ref('excluded.verification_state'),
          amount: excluded.ref('excluded.amount'),
          net_amount: excluded.ref('excluded.net_amount'),
          claim_expires_at: excluded.ref('excluded.claim_expires_at'),
          is_destination: excluded.ref('excluded.is_destination'),
          to_identity_id: excluded.ref('excluded.to_identity_id'),
          read_at: excluded.ref('excluded.read_at'),
        }))
        .whereRef('known_transfer.read_at', '<=', 'excluded.read_at'),
    )
    .execute();
}
