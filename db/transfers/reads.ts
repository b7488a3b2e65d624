import { sql } from 'kysely';
import type { Db } from '../kit/open.ts';
import type { StoredDetail } from '../subscriptions/reads.ts';

/** A transfer as Invo last reported it when Sharebook asked. Amounts are currency units, under Invo's names; null: not reported. */
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

/** How many transfers into a game are searched for their receiver. */
export const RECEIVED_MAX = 200;

/** Lists the stored answers about the transfers into this game, the last read first, at most 200. Who receives them is in the answer only. */
export async function listReceivedAnswers(db: Db, gameId: number): Promise<StoredDetail[]> {
  return await db
    .selectFrom('known_transfer as transfer')
    .innerJoin('detail_read as answer', (join) =>
      join
        .onRef('answer.game_id', '=', 'transfer.game_id')
        .on('answer.kind', '=', 'transfer')
        .onRef('answer.subject', '=', 'transfer.transaction_id'),
    )
    .where('transfer.game_id', '=', gameId)
    .where('transfer.is_destination', '=', true)
    .orderBy('transfer.read_at', 'desc')
    .orderBy('transfer.transaction_id')
    .limit(RECEIVED_MAX)
    .select(['answer.read_at as readAt', 'answer.body', 'answer.sha256'])
    .execute();
}

const KNOWN_TRANSFERS = sql`select transaction_id as "transactionId", transaction_status, verification_state, amount::text as amount,
  net_amount::text as net_amount, claim_expires_at as "claimExpiresAt", is_destination as "isDestination", read_at as "readAt" from known_transfer`;
