import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';

/** A transfer as Invo last reported it on request. Amounts are currency units, under Invo's names; null: not reported. */
export interface KnownTransfer {
  transactionId: string;
  transaction_status: string | null;
  verification_state: string | null;
  amount: string | null;
  net_amount: string | null;
  claimExpiresAt: string | null;
  isDestination: boolean;
  readAt: string;
}

const TRANSFERS_MAX = 200;

/**
 * Lists the transfers that Sharebook read from Invo, the last read first: the newest 200, and those of `also` that were read longer ago. Invo lists none
 * by itself.
 */
export async function listKnownTransfers(db: Db, gameId: number, also: readonly string[] = []): Promise<KnownTransfer[]> {
  const { rows } = await sql<KnownTransfer>`
    (${KNOWN_TRANSFERS} where game_id = ${gameId} order by known_transfer.read_at desc, transaction_id limit ${TRANSFERS_MAX})
    union (${KNOWN_TRANSFERS} where game_id = ${gameId} and transaction_id = any(${also}))
    order by "readAt" desc, "transactionId"`.execute(db);
  return rows;
}

/** Lists the known ones among some transfers, in no order. */
export async function listTransfersOf(db: Db, gameId: number, transactionIds: readonly string[]): Promise<KnownTransfer[]> {
  if (transactionIds.length === 0) return [];
  const { rows } = await sql<KnownTransfer>`
    ${KNOWN_TRANSFERS} where game_id = ${gameId} and transaction_id in (${sql.join(transactionIds)}) limit ${TRANSFERS_MAX}`.execute(db);
  return rows;
}

/** Lists the transfers into this game that Invo reported for an identity on the last request, the last read first, at most 200. */
export async function listReceivedTransfers(db: Db, gameId: number, identityId: string): Promise<KnownTransfer[]> {
  const { rows } = await sql<KnownTransfer>`
    ${KNOWN_TRANSFERS} where game_id = ${gameId} and is_destination and left(to_identity_id, 254) = left(${identityId}, 254)
      and to_identity_id = ${identityId}
    order by known_transfer.read_at desc, transaction_id limit ${TRANSFERS_MAX}`.execute(db);
  return rows;
}

const KNOWN_TRANSFERS = sql`select transaction_id as "transactionId", transaction_status, verification_state, amount::text as amount,
  net_amount::text as net_amount, claim_expires_at as "claimExpiresAt", is_destination as "isDestination", read_at as "readAt" from known_transfer`;
