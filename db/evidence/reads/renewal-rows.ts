import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { keysOf, type PageRequest, type RowPage, readBlock, type SortKey } from '#db/kit/paging.ts';
import type { RENEWAL_FILTERS } from '#lib/evidence/rules/table-answer.ts';
import type { MonthSnapshot } from './month-snapshot.ts';
import { escapeLike } from './recipient-rows.ts';
import { type RenewalSheetRow, renewalSource } from './sheet-rows.ts';

export interface RenewalFilter {
  /** A recipient's or period's id, the beginning of a subscription's, or part of an item; empty: everything. */
  find: string;
  chip: (typeof RENEWAL_FILTERS)[number];
  /** One recipient's lines alone; null: everybody's. */
  recipient: number | null;
}

export interface RenewalRow extends RenewalSheetRow {
  recipientName: string | null;
  /** USD, Invo's recomputation of the base; null: not recorded. */
  expectedBase: string | null;
}

const RECIPIENT: SortKey = { sql: sql`renewal_line.recipient_player_id`, type: 'bigint' };
const PAID_AT: SortKey = { sql: sql`renewal_line.paid_at`, type: 'timestamptz' };
// Plus zero, or the planner walks the lines of every month by the index of periods, hoping to meet the wanted ones soon.
const PERIOD: SortKey = { sql: sql`(renewal_line.period_id + 0)`, type: 'bigint' };
const amount = (column: string): SortKey[] => [{ sql: sql.ref(`renewal_line.${column}`), type: 'numeric' }, PERIOD];
const text = (column: string): SortKey => ({ sql: sql`left(coalesce(${sql.ref(`renewal_line.${column}`)}, ''), 200)`, type: 'text' });

/** What the lines of a month can be ordered by; by recipient ascending is the order of the sheet. */
export const RENEWAL_SORTS: Record<string, SortKey[]> = {
  recipient_player_id: [RECIPIENT, PAID_AT, PERIOD],
  paid_at: [PAID_AT, PERIOD],
  period_id: [PERIOD],
  subscription_id: [text('subscription_id'), PERIOD],
  item_name: [text('item_name'), PERIOD],
  amount_usd: amount('amount_usd'),
  invo_fee_usd: amount('invo_fee_usd'),
  partner_revenue_settled_usd: amount('partner_revenue_settled_usd'),
  attributed_amount_usd: amount('attributed_amount_usd'),
};

/** Reads one page of the attributed renewals settled in a snapshot's window. Throws `CursorError`. */
export async function listRenewalRows(
  db: Db,
  monthSnapshot: MonthSnapshot,
  filter: RenewalFilter,
  request: PageRequest,
): Promise<RowPage<RenewalRow>> {
  const scope = { list: `renewals ${monthSnapshot.snapshot.snapshotId}`, sort: request.sort, dir: request.dir };
  const rows = renewalSource(db, monthSnapshot.snapshot)
    .leftJoin('snapshot_recipient', (join) =>
      join
        .onRef('snapshot_recipient.game_id', '=', 'snapshot_slice.game_id')
        .onRef('snapshot_recipient.snapshot_id', '=', 'snapshot_slice.snapshot_id')
        .onRef('snapshot_recipient.recipient_player_id', '=', 'renewal_line.recipient_player_id'),
    )
    .where(renewalFilter(filter))
    .select(['snapshot_recipient.player_name as recipientName', 'renewal_line.expected_base_usd as expectedBase']);
  return await readBlock(db, { rows, total: totalOf(db, monthSnapshot, filter) }, keysOf(RENEWAL_SORTS, request.sort), request, scope);
}

function totalOf(db: Db, monthSnapshot: MonthSnapshot, filter: RenewalFilter) {
  return renewalSource(db, monthSnapshot.snapshot)
    .where(renewalFilter(filter))
    .clearSelect()
    .select([
      sql<number>`count(*)`.as('count'),
      sql<string>`coalesce(sum(renewal_line.amount_usd), 0.00)::text`.as('amount_usd'),
      sql<string>`coalesce(sum(renewal_line.invo_fee_usd), 0.00)::text`.as('invo_fee_usd'),
      sql<string>`coalesce(sum(renewal_line.partner_revenue_settled_usd), 0.00)::text`.as('partner_revenue_settled_usd'),
      sql<string>`coalesce(sum(renewal_line.attributed_amount_usd), 0.00)::text`.as('attributed_amount_usd'),
    ]);
}

/** The condition a filter puts on `renewal_line`, for lists, totals and files alike. */
export function renewalFilter({ find, chip, recipient }: RenewalFilter): RawBuilder<SqlBool> {
  const all: RawBuilder<unknown>[] = [sql`true`];
  if (chip === 'base') all.push(sql`renewal_line.base_matches_settled_fee is false`);
  if (recipient !== null) all.push(sql`renewal_line.recipient_player_id = ${recipient}`);
  if (find !== '') all.push(findFilter(find));
  return sql<SqlBool>`(${sql.join(all, sql` and `)})`;
}

function findFilter(find: string): RawBuilder<unknown> {
  const either = [
    sql`renewal_line.subscription_id like ${`${escapeLike(find)}%`}`,
    sql`renewal_line.item_id = ${find}`,
    sql`renewal_line.item_name ilike ${`%${escapeLike(find)}%`}`,
  ];
  if (/^\d{1,18}$/.test(find))
    either.push(sql`renewal_line.period_id = ${find}::bigint`, sql`renewal_line.recipient_player_id = ${find}::bigint`);
  return sql`(${sql.join(either, sql` or `)})`;
}
