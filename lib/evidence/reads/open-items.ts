import { type Compilable, type InferResult, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { type Db, nestedInstant, nestedMoney } from '#db/kit/open.ts';
import type { Window } from '#lib/core/window.ts';
import { type UnattributedRenewal, unattributedColumn } from '#lib/fees/reads/unattributed.ts';
import { BENIGN_REASON } from '../rules/evidence.ts';

/** Rows listed of one kind of open item; the snapshot has the total count. */
const OPEN_ITEM_ROWS_MAX = 200;

type RowsOf<Select extends (...inputs: never[]) => Compilable> = InferResult<ReturnType<Select>>[number];

export type UnresolvedRecipient = RowsOf<typeof unresolvedOf>;
export type BaseMismatch = RowsOf<typeof baseMismatchesOf>;
export type CoarseReversal = RowsOf<typeof coarseReversalsOf>;
/** A reversal without receipts that the current snapshots of other windows report too: those in order of time. */
export type RepeatedReversal = RowsOf<typeof repeatedReversalsOf>;

export interface OpenItems {
  unresolved: UnresolvedRecipient[];
  baseMismatches: BaseMismatch[];
  coarseReversals: CoarseReversal[];
  repeatedReversals: RepeatedReversal[];
  /** Settled renewals without attribution, named or placed in time; in order of time. */
  unattributed: UnattributedRenewal[];
  /** Whether they were looked for. */
  isSearched: boolean;
}

/** The rows of the current snapshot of a window that need a review, at most 200 of a kind: the largest amounts first, lines by recipient. */
export async function listOpenItems(
  db: Db,
  gameId: number,
  { snapshotId, window }: { snapshotId: number; window: Window },
): Promise<OpenItems> {
  return await db
    .selectNoFrom([
      jsonArrayFrom(unresolvedOf(db, gameId, snapshotId)).as('unresolved'),
      jsonArrayFrom(baseMismatchesOf(db, gameId, snapshotId)).as('baseMismatches'),
      jsonArrayFrom(coarseReversalsOf(db, gameId, snapshotId)).as('coarseReversals'),
      jsonArrayFrom(repeatedReversalsOf(db, gameId, window)).as('repeatedReversals'),
      unattributedColumn(db, gameId, window, BENIGN_REASON).as('unattributed'),
      sql<boolean>`exists (select from detail_month m
        where m.game_id = ${gameId} and m.window_start = ${window.start} and m.window_end = ${window.end})`.as('isSearched'),
    ])
    .executeTakeFirstOrThrow();
}

function unresolvedOf(db: Db, gameId: number, snapshotId: number) {
  return db
    .selectFrom('snapshot_recipient')
    .where('game_id', '=', gameId)
    .where('snapshot_id', '=', snapshotId)
    .where('resolved', '=', false)
    .orderBy('snapshot_recipient.net_attributed_usd', 'desc')
    .orderBy('recipient_player_id')
    .limit(OPEN_ITEM_ROWS_MAX)
    .select([
      'recipient_player_id as recipientPlayerId',
      'renewal_count as renewalCount',
      nestedMoney('gross_attributed_usd').as('gross_attributed_usd'),
      nestedMoney('reversed_attributed_usd').as('reversed_attributed_usd'),
      nestedMoney('net_attributed_usd').as('net_attributed_usd'),
    ]);
}

function baseMismatchesOf(db: Db, gameId: number, snapshotId: number) {
  return db
    .selectFrom('snapshot_slice as own')
    .innerJoin('renewal_line as line', 'line.slice_id', 'own.slice_id')
    .where('line.game_id', '=', gameId)
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
      // As Invo reported it.
      'line.paid_at_reported as paidAt',
      nestedMoney<string | null>('line.recorded_base_usd').as('recorded_base_usd'),
      nestedMoney<string | null>('line.expected_base_usd').as('expected_base_usd'),
      nestedMoney('line.attributed_amount_usd').as('attributed_amount_usd'),
    ]);
}

function coarseReversalsOf(db: Db, gameId: number, snapshotId: number) {
  return db
    .selectFrom('snapshot_slice as own')
    .innerJoin('reversal_line as line', 'line.slice_id', 'own.slice_id')
    .where('line.game_id', '=', gameId)
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
      // As Invo reported it.
      'line.paid_at_reported as paidAt',
      // period_row, or a basis Sharebook doesn't know.
      'line.reversal_basis as reversalBasis',
      nestedMoney('line.originally_attributed_usd').as('originally_attributed_usd'),
      nestedMoney('line.reversed_attributed_usd').as('reversed_attributed_usd'),
      'line.note',
    ]);
}

function repeatedReversalsOf(db: Db, gameId: number, window: Window) {
  return db
    .selectFrom('repeated_reversal as own')
    .where('own.game_id', '=', gameId)
    .where('own.window_start', '=', window.start)
    .where('own.window_end', '=', window.end)
    .orderBy('own.recipient_player_id')
    .orderBy('own.period_id')
    .limit(OPEN_ITEM_ROWS_MAX)
    .select((own) => [
      'own.period_id as periodId',
      'own.recipient_player_id as recipientPlayerId',
      nestedMoney('own.originally_attributed_usd').as('originally_attributed_usd'),
      // As this window reports it.
      nestedMoney('own.reversed_attributed_usd').as('reversed_attributed_usd'),
      jsonArrayFrom(
        own
          .selectFrom('repeated_reversal as other')
          .where('other.game_id', '=', gameId)
          .whereRef('other.period_id', '=', 'own.period_id')
          .where(sql<boolean>`(other.window_end <= own.window_start or other.window_start >= own.window_end)`)
          .orderBy('other.window_start')
          .select([
            sql<Window>`json_build_object('start', ${nestedInstant('other.window_start')}, 'end', ${nestedInstant('other.window_end')})`.as(
              'window',
            ),
            nestedMoney('other.reversed_attributed_usd').as('reversed_attributed_usd'),
          ]),
      ).as('others'),
    ]);
}
