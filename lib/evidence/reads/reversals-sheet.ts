import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { List } from '#db/kit/list.ts';
import type { Db } from '#db/kit/open.ts';
import type { SortKey } from '#db/kit/paging.ts';
import type { Database } from '#db/types.ts';
import type { Month } from '#lib/core/month.ts';
import { columnsOf, findsLine, linesOf, SHEET_COLUMNS, type SheetSnapshot, type SheetSource, settledMonth } from './month-snapshot.ts';

/** What the cells of a reversal are composed of. */
export interface ReversalRow {
  recipient_player_id: number;
  recipient_name: string | null;
  period_id: number;
  reversal_basis: string;
  refunded_at: string | null;
  is_full_refund: boolean | null;
  partner_revenue_reversal_basis: string | null;
  nets_to_zero_in_window: boolean;
  /** Distinguishes the events of one period in one slice; null: without receipts. */
  eventNo: number | null;
  /** The month the reversed period settled in, in the game's reporting time zone. */
  settledMonth: Month;
}

const RECIPIENT: SortKey = { sql: sql`reversal_line.recipient_player_id`, type: 'bigint' };
const REFUNDED_AT: SortKey = { sql: sql`coalesce(refund_event.refunded_at, '-infinity'::timestamptz)`, type: 'timestamptz' };
const PAID_AT: SortKey = { sql: sql`reversal_line.paid_at`, type: 'timestamptz' };
// Plus zero, or the planner walks the lines of every month by the index of periods, hoping to meet the wanted ones soon.
const PERIOD: SortKey = { sql: sql`(reversal_line.period_id + 0)`, type: 'bigint' };
const EVENT: SortKey = { sql: sql`coalesce(refund_event.event_no, 0)`, type: 'bigint' };
// A period may be reversed in several slices of a snapshot; they never share an instant, so the time distinguishes the rows.
const LAST = [REFUNDED_AT, PERIOD, EVENT, { sql: sql`snapshot_slice.slice_no`, type: 'bigint' }] satisfies SortKey[];
const REVERSED = sql`coalesce(refund_event.reversed_attributed_usd, reversal_line.reversed_attributed_usd)`;

const own = columnsOf('reversal_line');
const event = columnsOf('refund_event');

const byAmount = (expression: RawBuilder<unknown>): SortKey[] => [
  { sql: sql`coalesce(${expression}::numeric, '-Infinity'::numeric)`, type: 'numeric' },
  ...LAST,
];

/**
 * The reversals of a month: one row per refund event, and one per reversal without receipts, its event columns NULL. The two window flags
 * speak of the snapshot's window, not of the slice the row came in.
 */
export const REVERSALS: List<SheetSource, ReversalRow> = {
  name: 'reversals',
  noun: ['reversal', 'reversals'],
  columns: [
    ...SHEET_COLUMNS,
    own('count', 'recipient_player_id', 'Recipient', { width: 200, shape: 'identity', sort: [RECIPIENT, ...LAST] }),
    own('count', 'period_id', 'Period', { width: 128, shape: 'id', sort: [PERIOD, ...LAST] }),
    own('text', 'subscription_id', 'Subscription', {
      width: 216,
      sort: [{ sql: sql`left(reversal_line.subscription_id, 200)`, type: 'text' }, ...LAST],
    }),
    own('count', 'period_seq', 'No.', { width: 64 }),
    own('instant', 'paid_at', 'Settled', {
      sql: sql`reversal_line.paid_at_reported`,
      width: 180,
      isOptional: true,
      sort: [PAID_AT, ...LAST],
    }),
    own('boolean', 'settled_in_this_window', 'Settled in', { sql: ({ snapshot }) => settledHere(snapshot), width: 108, shape: 'link' }),
    own('text', 'reversal_basis', 'Basis', { width: 130, isOptional: true }),
    event('instant', 'refunded_at', 'Refunded', { sql: sql`refund_event.refunded_at_reported`, width: 180, sort: LAST }),
    event('money', 'refunded_amount_usd', 'Refund', { width: 104, isSummed: true, sort: byAmount(sql`refund_event.refunded_amount_usd`) }),
    event('boolean', 'is_full_refund', 'Completes the refund', { width: 160, isOptional: true }),
    own('money', 'originally_attributed_usd', 'Originally attributed', {
      width: 152,
      sort: byAmount(sql`reversal_line.originally_attributed_usd`),
    }),
    own('money', 'reversed_attributed_usd', 'Reversed', {
      sql: REVERSED,
      width: 108,
      shape: 'money-strong',
      isKey: true,
      isSummed: true,
      isDeducted: true,
      sort: byAmount(REVERSED),
    }),
    event('money', 'partner_revenue_reversed_usd', 'Partner revenue reversed', {
      width: 178,
      isSummed: true,
      isDeducted: true,
      sort: byAmount(sql`refund_event.partner_revenue_reversed_usd`),
    }),
    event('text', 'partner_revenue_reversal_basis', 'Partner basis', { width: 150, isOptional: true }),
    own('boolean', 'nets_to_zero_in_window', 'Nets to zero in this window', {
      sql: ({ snapshot }) => sql`(${settledHere(snapshot)} and ${wholeInWindow(snapshot)})`,
      width: 190,
      isOptional: true,
    }),
  ],
  composed: [{ key: 'flags', label: 'Remarks', shape: 'flags', width: 300 }],
  facts: [
    { key: 'recipient_name', sql: sql`snapshot_recipient.player_name` },
    { key: 'eventNo', sql: sql`refund_event.event_no` },
    { key: 'settledMonth', sql: ({ timeZone }) => settledMonth(timeZone) },
  ],
  shown: [
    'recipient_player_id',
    'refunded_at',
    'refunded_amount_usd',
    'reversed_attributed_usd',
    'settled_in_this_window',
    'flags',
    'originally_attributed_usd',
    'partner_revenue_reversed_usd',
    'period_id',
    'subscription_id',
    'period_seq',
    'paid_at',
    'reversal_basis',
    'partner_revenue_reversal_basis',
  ],
  chips: [
    {
      key: 'earlier',
      label: 'From earlier months',
      where: ({ snapshot }) => sql`(reversal_line.paid_at < ${sql.lit(snapshot.windowStart)}::timestamptz)`,
    },
    { key: 'coarse', label: 'Without receipts', where: sql`reversal_line.reversal_basis = 'period_row'` },
  ],
  search: {
    label: () => 'Search player, period or subscription ID',
    note: () => 'Subscription IDs match from their start, other IDs in full.',
    where: (_, find) => findsLine('reversal_line', find),
  },
  from: (db, { snapshot }) =>
    db
      .selectFrom('snapshot_slice')
      .innerJoin('reversal_line', (join) =>
        join.on('reversal_line.game_id', '=', sql.lit(snapshot.gameId)).onRef('reversal_line.slice_id', '=', 'snapshot_slice.slice_id'),
      )
      .leftJoin(eventsOf(db, snapshot).as('refund_event'), (join) =>
        join
          .onRef('refund_event.slice_id', '=', 'reversal_line.slice_id')
          .onRef('refund_event.period_id', '=', 'reversal_line.period_id')
          .on('reversal_line.reversal_basis', '<>', sql.lit('period_row')),
      )
      .where('snapshot_slice.game_id', '=', sql.lit(snapshot.gameId))
      .where('snapshot_slice.snapshot_id', '=', sql.lit(snapshot.snapshotId)),
  ...linesOf('reversal_line'),
  scope: ({ snapshot: { snapshotId } }) => `reversals ${snapshotId}`,
};
/** The refund events of a snapshot's slices alone: joined bare, the planner would read those of every month. */
function eventsOf(db: Db, snapshot: SheetSnapshot) {
  return db
    .selectFrom('refund_event as event')
    .innerJoin('snapshot_slice as own', 'own.slice_id', 'event.slice_id')
    .where('event.game_id', '=', sql.lit(snapshot.gameId))
    .where('own.game_id', '=', sql.lit(snapshot.gameId))
    .where('own.snapshot_id', '=', sql.lit(snapshot.snapshotId))
    .selectAll('event');
}

function settledHere(snapshot: SheetSnapshot) {
  const [start, end] = [sql.lit(snapshot.windowStart), sql.lit(snapshot.windowEnd)];
  return sql<boolean>`(reversal_line.paid_at >= ${start}::timestamptz and reversal_line.paid_at < ${end}::timestamptz)`;
}

/** Whether the whole price was refunded in the window: by a completing refund in any slice or, without receipts, by what was refunded to date. */
function wholeInWindow(snapshot: SheetSnapshot): Expression<SqlBool> {
  const eb = expressionBuilder<Database, 'reversal_line'>();
  const completing = eb.exists(
    eb
      .selectFrom('refund_event as completing')
      .innerJoin('snapshot_slice as own', 'own.slice_id', 'completing.slice_id')
      .where('completing.game_id', '=', sql.lit(snapshot.gameId))
      .where('own.game_id', '=', sql.lit(snapshot.gameId))
      .where('own.snapshot_id', '=', sql.lit(snapshot.snapshotId))
      .whereRef('completing.period_id', '=', 'reversal_line.period_id')
      .where('completing.is_full_refund', '=', sql.lit(true))
      .select(sql<number>`1`.as('one')),
  );
  return sql<SqlBool>`case when reversal_line.reversal_basis = 'period_row'
    then coalesce(reversal_line.refunded_to_date_usd = reversal_line.amount_usd, reversal_line.nets_to_zero_in_window, false) else ${completing} end`;
}
