import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { keysOf, type PageRequest, type RowPage, readBlock, type SortKey } from '#db/kit/paging.ts';
import type { REVERSAL_FILTERS } from '#lib/evidence/rules/table-answer.ts';
import type { MonthSnapshot } from './month-snapshot.ts';
import { escapeLike } from './recipient-rows.ts';
import { type ReversalSheetRow, reversalSource, type SheetSnapshot, settledBefore, settledMonth } from './sheet-rows.ts';

export interface ReversalFilter {
  /** A recipient's or period's id, or the beginning of a subscription's; empty: everything. */
  find: string;
  /** `earlier`: of periods settled before the window; `coarse`: without receipts. */
  chip: (typeof REVERSAL_FILTERS)[number];
  /** One recipient's alone; null: everybody's. */
  recipient: number | null;
}

export interface ReversalRow extends ReversalSheetRow {
  recipientName: string | null;
  /** Distinguishes the events of one period in one slice; null: a coarse row. */
  eventNo: number | null;
  /** The month the reversed period settled in, in the game's reporting time zone. */
  settledMonth: string;
  /** Settled before the window. */
  isEarlier: boolean;
}

const RECIPIENT: SortKey = { sql: sql`reversal_line.recipient_player_id`, type: 'bigint' };
const REFUNDED_AT: SortKey = { sql: sql`coalesce(refund_event.refunded_at, '-infinity'::timestamptz)`, type: 'timestamptz' };
const PAID_AT: SortKey = { sql: sql`reversal_line.paid_at`, type: 'timestamptz' };
// Plus zero, or the planner walks the lines of every month by the index of periods, hoping to meet the wanted ones soon.
const PERIOD: SortKey = { sql: sql`(reversal_line.period_id + 0)`, type: 'bigint' };
const EVENT: SortKey = { sql: sql`coalesce(refund_event.event_no, 0)`, type: 'bigint' };
// A period may be reversed in several slices of a snapshot; they never share an instant, so the time keeps the rows apart.
const LAST = [REFUNDED_AT, PERIOD, EVENT, { sql: sql`snapshot_slice.slice_no`, type: 'bigint' }] satisfies SortKey[];
const amount = (expression: RawBuilder<unknown>): SortKey[] => [
  { sql: sql`coalesce(${expression}::numeric, '-Infinity'::numeric)`, type: 'numeric' },
  ...LAST,
];

/** What the reversals of a month can be ordered by; by recipient ascending is the order of the sheet. */
export const REVERSAL_SORTS: Record<string, SortKey[]> = {
  recipient_player_id: [RECIPIENT, ...LAST],
  refunded_at: LAST,
  paid_at: [PAID_AT, ...LAST],
  period_id: [PERIOD, ...LAST],
  subscription_id: [{ sql: sql`left(reversal_line.subscription_id, 200)`, type: 'text' }, ...LAST],
  refunded_amount_usd: amount(sql`refund_event.refunded_amount_usd`),
  originally_attributed_usd: amount(sql`reversal_line.originally_attributed_usd`),
  reversed_attributed_usd: amount(sql`coalesce(refund_event.reversed_attributed_usd, reversal_line.reversed_attributed_usd)`),
  partner_revenue_reversed_usd: amount(sql`refund_event.partner_revenue_reversed_usd`),
};

/** Reads one page of the reversals in a snapshot's window, a row per refund event. Throws `CursorError`. */
export async function listReversalRows(
  db: Db,
  monthSnapshot: MonthSnapshot,
  filter: ReversalFilter,
  request: PageRequest,
): Promise<RowPage<ReversalRow>> {
  const { snapshot, timeZone } = monthSnapshot;
  const scope = { list: `reversals ${snapshot.snapshotId}`, sort: request.sort, dir: request.dir };
  const rows = reversalSource(db, snapshot)
    .leftJoin('snapshot_recipient', (join) =>
      join
        .onRef('snapshot_recipient.game_id', '=', 'snapshot_slice.game_id')
        .onRef('snapshot_recipient.snapshot_id', '=', 'snapshot_slice.snapshot_id')
        .onRef('snapshot_recipient.recipient_player_id', '=', 'reversal_line.recipient_player_id'),
    )
    .where(reversalFilter(snapshot, filter))
    .select([
      'snapshot_recipient.player_name as recipientName',
      'refund_event.event_no as eventNo',
      settledMonth(timeZone).as('settledMonth'),
      settledBefore(snapshot).as('isEarlier'),
    ]);
  return await readBlock(db, { rows, total: totalOf(db, snapshot, filter) }, keysOf(REVERSAL_SORTS, request.sort), request, scope);
}

// What is not recorded is not in a sum.
function totalOf(db: Db, snapshot: SheetSnapshot, filter: ReversalFilter) {
  return reversalSource(db, snapshot)
    .where(reversalFilter(snapshot, filter))
    .clearSelect()
    .select([
      sql<number>`count(*)`.as('count'),
      sql<string>`coalesce(sum(refund_event.refunded_amount_usd), 0.00)::text`.as('refunded_amount_usd'),
      sql<string>`coalesce(sum(coalesce(refund_event.reversed_attributed_usd, reversal_line.reversed_attributed_usd)), 0.00)::text`.as(
        'reversed_attributed_usd',
      ),
      sql<string>`coalesce(sum(refund_event.partner_revenue_reversed_usd), 0.00)::text`.as('partner_revenue_reversed_usd'),
    ]);
}

/** The condition a filter puts on `reversal_line`, for lists, totals and files alike. */
export function reversalFilter(snapshot: SheetSnapshot, { find, chip, recipient }: ReversalFilter): RawBuilder<SqlBool> {
  const all: RawBuilder<unknown>[] = [sql`true`];
  if (chip === 'coarse') all.push(sql`reversal_line.reversal_basis = 'period_row'`);
  if (chip === 'earlier') all.push(settledBefore(snapshot));
  if (recipient !== null) all.push(sql`reversal_line.recipient_player_id = ${recipient}`);
  if (find !== '') all.push(findFilter(find));
  return sql<SqlBool>`(${sql.join(all, sql` and `)})`;
}

function findFilter(find: string): RawBuilder<unknown> {
  const either = [sql`reversal_line.subscription_id like ${`${escapeLike(find)}%`}`];
  if (/^\d{1,18}$/.test(find))
    either.push(sql`reversal_line.period_id = ${find}::bigint`, sql`reversal_line.recipient_player_id = ${find}::bigint`);
  return sql`(${sql.join(either, sql` or `)})`;
}
