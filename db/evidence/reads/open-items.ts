import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';

/** Rows listed of one kind of open item; the snapshot has the total count. */
const OPEN_ITEM_ROWS_MAX = 200;

export interface UnresolvedRecipient {
  recipientPlayerId: number;
  renewalCount: number;
  gross_attributed_usd: string;
  reversed_attributed_usd: string;
  net_attributed_usd: string;
}

export interface BaseMismatch {
  periodId: number;
  subscriptionId: string;
  recipientPlayerId: number;
  /** As Invo reported it. */
  paidAt: string;
  recorded_base_usd: string | null;
  expected_base_usd: string | null;
  attributed_amount_usd: string;
}

export interface CoarseReversal {
  periodId: number;
  subscriptionId: string;
  recipientPlayerId: number;
  /** As Invo reported it. */
  paidAt: string;
  /** period_row, or a basis Sharebook doesn't know. */
  reversalBasis: string;
  originally_attributed_usd: string;
  reversed_attributed_usd: string;
  note: string | null;
}

export interface OpenItems {
  unresolved: UnresolvedRecipient[];
  baseMismatches: BaseMismatch[];
  coarseReversals: CoarseReversal[];
}

/** The rows of one snapshot that need a review, at most 200 of a kind: the largest amounts first, lines by recipient. */
export async function listOpenItems(db: Db, gameId: number, snapshotId: number): Promise<OpenItems> {
  const [unresolved, baseMismatches, coarseReversals] = await Promise.all([
    listUnresolved(db, gameId, snapshotId),
    listBaseMismatches(db, gameId, snapshotId),
    listCoarseReversals(db, gameId, snapshotId),
  ]);
  return { unresolved, baseMismatches, coarseReversals };
}

async function listUnresolved(db: Db, gameId: number, snapshotId: number): Promise<UnresolvedRecipient[]> {
  return await db
    .selectFrom('snapshot_recipient')
    .where('game_id', '=', gameId)
    .where('snapshot_id', '=', snapshotId)
    .where('resolved', '=', false)
    .orderBy('net_attributed_usd', 'desc')
    .orderBy('recipient_player_id')
    .limit(OPEN_ITEM_ROWS_MAX)
    .select([
      'recipient_player_id as recipientPlayerId',
      'renewal_count as renewalCount',
      'gross_attributed_usd',
      'reversed_attributed_usd',
      'net_attributed_usd',
    ])
    .execute();
}

async function listBaseMismatches(db: Db, gameId: number, snapshotId: number): Promise<BaseMismatch[]> {
  return await db
    .selectFrom('snapshot_slice as own')
    .innerJoin('renewal_line as line', (join) => join.onRef('line.game_id', '=', 'own.game_id').onRef('line.slice_id', '=', 'own.slice_id'))
    .where('own.game_id', '=', gameId)
    .where('own.snapshot_id', '=', snapshotId)
    .where('line.base_matches_settled_fee', '=', sql.lit(false))
    .orderBy('line.recipient_player_id')
    .orderBy('line.period_id')
    .limit(OPEN_ITEM_ROWS_MAX)
    .select([
      'line.period_id as periodId',
      'line.subscription_id as subscriptionId',
      'line.recipient_player_id as recipientPlayerId',
      'line.paid_at_reported as paidAt',
      'line.recorded_base_usd',
      'line.expected_base_usd',
      'line.attributed_amount_usd',
    ])
    .execute();
}

async function listCoarseReversals(db: Db, gameId: number, snapshotId: number): Promise<CoarseReversal[]> {
  return await db
    .selectFrom('snapshot_slice as own')
    .innerJoin('reversal_line as line', (join) =>
      join.onRef('line.game_id', '=', 'own.game_id').onRef('line.slice_id', '=', 'own.slice_id'),
    )
    .where('own.game_id', '=', gameId)
    .where('own.snapshot_id', '=', snapshotId)
    .where('line.reversal_basis', '<>', 'refund_receipts')
    .orderBy('line.recipient_player_id')
    .orderBy('line.period_id')
    .limit(OPEN_ITEM_ROWS_MAX)
    .select([
      'line.period_id as periodId',
      'line.subscription_id as subscriptionId',
      'line.recipient_player_id as recipientPlayerId',
      'line.paid_at_reported as paidAt',
      'line.reversal_basis as reversalBasis',
      'line.originally_attributed_usd',
      'line.reversed_attributed_usd',
      'line.note',
    ])
    .execute();
}
