import { type Compilable, type Expression, expressionBuilder, type InferResult, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { Database } from '#db/types.ts';
import type { Window } from '#lib/core/window.ts';
import type { SheetName } from '#lib/evidence/rules/sheets.ts';

/** Rows handed over at a time: enough to be quick, few enough that memory does not grow with the sheet. */
const BATCH_ROWS = 1_000;

export interface SheetOf {
  snapshotId: number;
  window: Window;
}

/** Some rows of a sheet: the condition on its source, and the same in words for the manifest. */
export interface ChosenRows {
  filter: Record<string, string>;
  condition: RawBuilder<SqlBool>;
}

/** Every row of a sheet in the order of the file, with what its table shows besides (`TABLE_COLUMNS`), in batches. */
export async function* streamTable(
  db: Db,
  game: { gameId: number; slug: string; environment: string; timeZone: string },
  of: SheetOf,
  sheet: SheetName,
): AsyncGenerator<Record<string, unknown>[]> {
  const snapshot = sheetSnapshot(game, of);
  switch (sheet) {
    case 'recipients':
      return yield* inBatches(
        recipientsInOrder(db, snapshot)
          .select([
            'snapshot_recipient.base_mismatch_count as baseMismatchCount',
            'snapshot_recipient.coarse_reversal_count as coarseReversalCount',
            'snapshot_recipient.nets_to_zero_count as netsToZeroCount',
          ])
          .stream(BATCH_ROWS),
      );
    case 'renewals':
      return yield* inBatches(renewalsInOrder(db, snapshot).select('renewal_line.expected_base_usd as expectedBase').stream(BATCH_ROWS));
    case 'reversals':
      return yield* inBatches(
        reversalsInOrder(db, snapshot)
          .select([
            'refund_event.event_no as eventNo',
            settledMonth(game.timeZone).as('settledMonth'),
            settledBefore(snapshot).as('isEarlier'),
          ])
          .stream(BATCH_ROWS),
      );
  }
}

/** The month a reversed period settled in, in a reporting time zone. */
export function settledMonth(timeZone: string): RawBuilder<string> {
  return sql<string>`to_char(reversal_line.paid_at at time zone ${sql.lit(timeZone)}, 'YYYY-MM')`;
}

/** Whether a reversed period settled before the window. */
export function settledBefore({ windowStart }: Pick<SheetSnapshot, 'windowStart'>): RawBuilder<boolean> {
  return sql<boolean>`(reversal_line.paid_at < ${sql.lit(windowStart)}::timestamptz)`;
}

/** The rows of a sheet as a query that is not sent yet. Cells come by the column's key. */
export interface SheetQuery extends Expression<unknown> {
  execute(): Promise<Record<string, unknown>[]>;
  clearOrderBy(): Expression<unknown>;
}

/** The rows of a sheet in the order of the file, all of them or those that a condition leaves. */
export function sheetInOrder(
  db: Db,
  game: { gameId: number; slug: string; environment: string },
  of: SheetOf,
  sheet: SheetName,
  condition: RawBuilder<SqlBool> = sql`true`,
): SheetQuery {
  const snapshot = sheetSnapshot(game, of);
  switch (sheet) {
    case 'recipients':
      return recipientsInOrder(db, snapshot).where(condition);
    case 'renewals':
      return renewalsInOrder(db, snapshot).where(condition);
    case 'reversals':
      return reversalsInOrder(db, snapshot).where(condition);
  }
}

function sheetSnapshot(game: { gameId: number; slug: string; environment: string }, of: SheetOf): SheetSnapshot {
  const { gameId, slug, environment } = game;
  return { gameId, slug, environment, snapshotId: of.snapshotId, windowStart: of.window.start, windowEnd: of.window.end };
}

async function* inBatches(rows: AsyncIterable<Record<string, unknown>>): AsyncGenerator<Record<string, unknown>[]> {
  let batch: Record<string, unknown>[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length === BATCH_ROWS) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

function recipientsInOrder(db: Db, snapshot: SheetSnapshot) {
  return recipientSource(db, snapshot)
    .orderBy('snapshot_recipient.net_attributed_usd', 'desc')
    .orderBy('snapshot_recipient.recipient_player_id');
}

function renewalsInOrder(db: Db, snapshot: SheetSnapshot) {
  return renewalSource(db, snapshot)
    .orderBy('renewal_line.recipient_player_id')
    .orderBy('renewal_line.paid_at')
    .orderBy('renewal_line.period_id');
}

function reversalsInOrder(db: Db, snapshot: SheetSnapshot) {
  return reversalSource(db, snapshot)
    .orderBy('reversal_line.recipient_player_id')
    .orderBy(sql`refund_event.refunded_at asc nulls first`)
    .orderBy('reversal_line.period_id')
    .orderBy('refund_event.event_no');
}

/** The snapshot whose rows are read, and the facts about it that are repeated in every row of a sheet. */
export interface SheetSnapshot {
  gameId: number;
  /** The game in addresses and files. */
  slug: string;
  environment: string;
  snapshotId: number;
  /** First instant, ISO 8601 ending in Z. */
  windowStart: string;
  /** Up to, not including. */
  windowEnd: string;
}

export type RecipientSheetRow = RowOf<typeof recipientSource>;
export type RenewalSheetRow = RowOf<typeof renewalSource>;
export type ReversalSheetRow = RowOf<typeof reversalSource>;
type RowOf<Source extends (db: Db, snapshot: SheetSnapshot) => Compilable> = InferResult<ReturnType<Source>>[number];

// Every value is written as a literal: the compiled statement has no parameters, so a COPY can carry it as it is.
function head(snapshot: SheetSnapshot) {
  return [
    sql.lit(snapshot.slug).$castTo<string>().as('game'),
    sql.lit(snapshot.environment).$castTo<string>().as('environment'),
    sql.lit(snapshot.windowStart).$castTo<string>().as('window_start'),
    sql.lit(snapshot.windowEnd).$castTo<string>().as('window_end'),
    sql<number>`${sql.lit(snapshot.snapshotId)}::bigint`.as('snapshot_id'),
  ] as const;
}

/**
 * The rows of the recipients sheet of one snapshot, unordered; columns are exactly the sheet's, money exact, instants as reported.
 * Sheet order: `snapshot_recipient.net_attributed_usd` descending, then `snapshot_recipient.recipient_player_id`.
 */
export function recipientSource(db: Db, snapshot: SheetSnapshot) {
  return db
    .selectFrom('snapshot_recipient')
    .where('snapshot_recipient.game_id', '=', sql.lit(snapshot.gameId))
    .where('snapshot_recipient.snapshot_id', '=', sql.lit(snapshot.snapshotId))
    .select(head(snapshot))
    .select([
      'snapshot_recipient.recipient_player_id',
      'snapshot_recipient.player_email as recipient_email',
      'snapshot_recipient.player_name as recipient_name',
      'snapshot_recipient.identity_id as recipient_identity_id',
      'snapshot_recipient.resolved',
      'snapshot_recipient.renewal_count',
      'snapshot_recipient.subscription_count',
      'snapshot_recipient.gross_attributed_usd',
      'snapshot_recipient.reversed_attributed_usd',
      'snapshot_recipient.net_attributed_usd',
      'snapshot_recipient.first_paid_at',
      'snapshot_recipient.last_paid_at',
    ]);
}

/**
 * The rows of the renewals sheet of one snapshot, unordered: one per attributed renewal settled in the window.
 * Sheet order: `renewal_line.recipient_player_id`, `renewal_line.paid_at`, `renewal_line.period_id`.
 */
export function renewalSource(db: Db, snapshot: SheetSnapshot) {
  return db
    .selectFrom('snapshot_slice')
    .innerJoin('renewal_line', (join) =>
      join.onRef('renewal_line.game_id', '=', 'snapshot_slice.game_id').onRef('renewal_line.slice_id', '=', 'snapshot_slice.slice_id'),
    )
    .where('snapshot_slice.game_id', '=', sql.lit(snapshot.gameId))
    .where('snapshot_slice.snapshot_id', '=', sql.lit(snapshot.snapshotId))
    .select(head(snapshot))
    .select([
      'renewal_line.recipient_player_id',
      'renewal_line.period_id',
      'renewal_line.subscription_id',
      'renewal_line.period_seq',
      'renewal_line.item_id',
      'renewal_line.item_name',
      'renewal_line.status',
      'renewal_line.period_start',
      'renewal_line.period_end',
      'renewal_line.paid_at_reported as paid_at',
      'renewal_line.amount_usd',
      'renewal_line.invo_fee_usd',
      'renewal_line.partner_revenue_settled_usd',
      'renewal_line.percent_at_renewal',
      'renewal_line.base_usd',
      'renewal_line.attributed_amount_usd',
      'renewal_line.base_matches_settled_fee',
      'renewal_line.rail',
      'renewal_line.amount_coins',
      'renewal_line.balance_applied_coins',
      'renewal_line.card_charged_usd',
      'renewal_line.pcstore_charged_usd',
      'renewal_line.transaction_id',
      'renewal_line.mint_order_id',
    ]);
}

/**
 * The rows of the reversals sheet of one snapshot, unordered: one per refund event, and one per coarse reversal with its event columns NULL.
 * The two window flags speak of the snapshot's window, not of the slice the row came in.
 * Sheet order: `reversal_line.recipient_player_id`, `refund_event.refunded_at` with NULL first, `reversal_line.period_id`, `refund_event.event_no`.
 */
export function reversalSource(db: Db, snapshot: SheetSnapshot) {
  const settledHere = settledInWindow(snapshot);
  return db
    .selectFrom('snapshot_slice')
    .innerJoin('reversal_line', (join) =>
      join.onRef('reversal_line.game_id', '=', 'snapshot_slice.game_id').onRef('reversal_line.slice_id', '=', 'snapshot_slice.slice_id'),
    )
    .leftJoin(eventsOf(db, snapshot).as('refund_event'), (join) =>
      join
        .onRef('refund_event.slice_id', '=', 'reversal_line.slice_id')
        .onRef('refund_event.period_id', '=', 'reversal_line.period_id')
        .on('reversal_line.reversal_basis', '<>', sql.lit('period_row')),
    )
    .where('snapshot_slice.game_id', '=', sql.lit(snapshot.gameId))
    .where('snapshot_slice.snapshot_id', '=', sql.lit(snapshot.snapshotId))
    .select(head(snapshot))
    .select([
      'reversal_line.recipient_player_id',
      'reversal_line.period_id',
      'reversal_line.subscription_id',
      'reversal_line.period_seq',
      'reversal_line.paid_at_reported as paid_at',
      settledHere.as('settled_in_this_window'),
      'reversal_line.reversal_basis',
      'refund_event.refunded_at_reported as refunded_at',
      'refund_event.refunded_amount_usd',
      'refund_event.is_full_refund',
      'reversal_line.originally_attributed_usd',
      sql<string>`coalesce(refund_event.reversed_attributed_usd, reversal_line.reversed_attributed_usd)`.as('reversed_attributed_usd'),
      'refund_event.partner_revenue_reversed_usd',
      'refund_event.partner_revenue_reversal_basis',
      sql<boolean>`(${settledHere} and ${wholeInWindow(snapshot)})`.as('nets_to_zero_in_window'),
    ]);
}

/** The refund events of a snapshot's slices alone: joined bare, the planner would read those of every month. */
function eventsOf(db: Db, snapshot: SheetSnapshot) {
  return db
    .selectFrom('refund_event as event')
    .innerJoin('snapshot_slice as own', (join) =>
      join.onRef('own.game_id', '=', 'event.game_id').onRef('own.slice_id', '=', 'event.slice_id'),
    )
    .where('own.game_id', '=', sql.lit(snapshot.gameId))
    .where('own.snapshot_id', '=', sql.lit(snapshot.snapshotId))
    .selectAll('event');
}

function settledInWindow(snapshot: SheetSnapshot) {
  const [start, end] = [sql.lit(snapshot.windowStart), sql.lit(snapshot.windowEnd)];
  return sql<boolean>`(reversal_line.paid_at >= ${start}::timestamptz and reversal_line.paid_at < ${end}::timestamptz)`;
}

/** Whether the whole price was refunded in the window: by a completing refund in any slice or, without receipts, by what was refunded to date. */
function wholeInWindow(snapshot: SheetSnapshot): Expression<SqlBool> {
  const eb = expressionBuilder<Database, 'reversal_line'>();
  const completing = eb.exists(
    eb
      .selectFrom('refund_event as completing')
      .innerJoin('snapshot_slice as own', (join) =>
        join.onRef('own.game_id', '=', 'completing.game_id').onRef('own.slice_id', '=', 'completing.slice_id'),
      )
      .where('own.game_id', '=', sql.lit(snapshot.gameId))
      .where('own.snapshot_id', '=', sql.lit(snapshot.snapshotId))
      .whereRef('completing.period_id', '=', 'reversal_line.period_id')
      .where('completing.is_full_refund', '=', sql.lit(true))
      .select(sql<number>`1`.as('one')),
  );
  return sql<SqlBool>`case when reversal_line.reversal_basis = 'period_row'
    then coalesce(reversal_line.refunded_to_date_usd = reversal_line.amount_usd, reversal_line.nets_to_zero_in_window, false) else ${completing} end`;
}
