import { type RawBuilder, sql } from 'kysely';
import type { List } from '#db/kit/list.ts';
import type { SortKey } from '#db/kit/paging.ts';
import { columnsOf, escapeLike, findsLine, linesOf, SHEET_COLUMNS, type SheetSource } from './month-snapshot.ts';

/** What the cells of a line are composed of. */
export interface RenewalRow {
  period_id: number;
  recipient_player_id: number;
  recipient_name: string | null;
  base_matches_settled_fee: boolean | null;
  /** USD, Invo's recomputation of the base; null: not recorded. */
  expectedBase: string | null;
}

const RECIPIENT: SortKey = { sql: sql`renewal_line.recipient_player_id`, type: 'bigint' };
const PAID_AT: SortKey = { sql: sql`renewal_line.paid_at`, type: 'timestamptz' };
// Plus zero, or the planner walks the lines of every month by the index of periods, hoping to meet the wanted ones soon.
const PERIOD: SortKey = { sql: sql`(renewal_line.period_id + 0)`, type: 'bigint' };

const own = columnsOf('renewal_line');

function ref(key: string): RawBuilder<unknown> {
  return sql.ref(`renewal_line.${key}`);
}

const byAmount = (key: string): SortKey[] => [{ sql: ref(key), type: 'numeric' }, PERIOD];
const byText = (key: string): SortKey[] => [{ sql: sql`left(coalesce(${ref(key)}, ''), 200)`, type: 'text' }, PERIOD];

/** The attributed renewals settled in a month, one row each. */
export const RENEWALS: List<SheetSource, RenewalRow> = {
  name: 'renewals',
  noun: ['line', 'lines'],
  columns: [
    ...SHEET_COLUMNS,
    own('count', 'recipient_player_id', 'Recipient', { width: 200, shape: 'identity', sort: [RECIPIENT, PAID_AT, PERIOD] }),
    own('count', 'period_id', 'Period', { width: 128, shape: 'id', sort: [PERIOD] }),
    own('text', 'subscription_id', 'Subscription', { width: 216, sort: byText('subscription_id') }),
    own('count', 'period_seq', 'No.', { width: 64, isOptional: true }),
    own('text', 'item_id', 'Item ID', { width: 120, isOptional: true }),
    own('text', 'item_name', 'Item', { width: 140, sort: byText('item_name') }),
    own('text', 'status', 'Status when pulled', { width: 130, isOptional: true }),
    own('instant', 'period_start', 'Billing period from', { width: 180, isOptional: true }),
    own('instant', 'period_end', 'Billing period to', { width: 180, isOptional: true }),
    own('instant', 'paid_at', 'Settled', { sql: ref('paid_at_reported'), width: 180, sort: [PAID_AT, PERIOD] }),
    own('money', 'amount_usd', 'Price', { width: 92, isSummed: true, sort: byAmount('amount_usd') }),
    own('money', 'invo_fee_usd', 'Invo fee', { width: 92, isSummed: true, sort: byAmount('invo_fee_usd') }),
    own('money', 'partner_revenue_settled_usd', 'Partner revenue, settled', {
      width: 170,
      isOptional: true,
      isSummed: true,
      sort: byAmount('partner_revenue_settled_usd'),
    }),
    own('percent', 'percent_at_renewal', 'Share', { width: 92 }),
    own('money', 'base_usd', 'Base after fee', { width: 112 }),
    own('money', 'attributed_amount_usd', 'Attributed', {
      width: 108,
      shape: 'money-strong',
      isKey: true,
      isSummed: true,
      sort: byAmount('attributed_amount_usd'),
    }),
    own('boolean', 'base_matches_settled_fee', 'Base matches fee'),
    own('text', 'rail', 'Rail', { width: 90, isOptional: true }),
    own('coins', 'amount_coins', 'Price in coins', { width: 110, isOptional: true }),
    own('coins', 'balance_applied_coins', 'Coins applied', { width: 120, isOptional: true }),
    own('money', 'card_charged_usd', 'Charged to card', { width: 120, isOptional: true }),
    own('money', 'pcstore_charged_usd', 'Charged by store', { width: 130, isOptional: true }),
    own('text', 'transaction_id', 'Transaction', { width: 160, isOptional: true }),
    own('text', 'mint_order_id', 'Order', { width: 150, isOptional: true }),
  ],
  composed: [{ key: 'flags', label: 'Remarks', shape: 'flags', width: 200 }],
  facts: [
    { key: 'expectedBase', sql: ref('expected_base_usd') },
    { key: 'recipient_name', sql: sql`snapshot_recipient.player_name` },
  ],
  shown: [
    'recipient_player_id',
    'paid_at',
    'amount_usd',
    'invo_fee_usd',
    'base_usd',
    'percent_at_renewal',
    'attributed_amount_usd',
    'flags',
    'period_id',
    'subscription_id',
    'item_name',
  ],
  chips: [{ key: 'base', label: 'Base differs', where: sql`renewal_line.base_matches_settled_fee is false` }],
  search: {
    label: ({ recipient }) =>
      recipient === null ? 'Search player, subscription, period ID or item' : 'Search subscription, period ID or item',
    note: () => 'Item names match anywhere, subscription IDs from their start, other IDs in full.',
    where: (_, find) =>
      findsLine('renewal_line', find, [sql`renewal_line.item_id = ${find}`, sql`renewal_line.item_name ilike ${`%${escapeLike(find)}%`}`]),
  },
  from: (db, { snapshot: { gameId, snapshotId } }) =>
    db
      .selectFrom('snapshot_slice')
      .innerJoin('renewal_line', (join) =>
        join.on('renewal_line.game_id', '=', sql.lit(gameId)).onRef('renewal_line.slice_id', '=', 'snapshot_slice.slice_id'),
      )
      .where('snapshot_slice.game_id', '=', sql.lit(gameId))
      .where('snapshot_slice.snapshot_id', '=', sql.lit(snapshotId)),
  ...linesOf('renewal_line'),
  scope: ({ snapshot: { snapshotId } }) => `renewals ${snapshotId}`,
};
