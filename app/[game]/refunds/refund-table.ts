import 'server-only';
import type { Game } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import type { FlagCell, TableColumn, TableRow, TableSpec } from '#app/_ui/data-table/table-spec.ts';
import { formatAge, formatDay, formatInstant, formatMonth } from '#app/_ui/figures/format.ts';
import type { CellShape } from '#lib/core/csv.ts';
import { monthOf } from '#lib/core/month.ts';
import { listRefunds, REFUND_CHIPS, REFUND_SORTS, type RefundRow } from '#lib/refunds/reads/list-refunds.ts';
import { REGISTER_COLUMNS } from '#lib/refunds/rules/register-sheet.ts';
import { refundStatusText } from '#lib/refunds/text.ts';
import { defineList } from '../_rows/define-list.ts';

const LABELS = new Map(REGISTER_COLUMNS.map(({ key, label }) => [key, label]));

/** A column of the screen that shows a column of the register. */
function column(
  registerKey: string,
  key: string,
  shape: CellShape,
  width: number,
  more: Pick<TableColumn, 'isSortable' | 'isOptional'> = {},
): TableColumn {
  return { key, label: LABELS.get(registerKey) ?? registerKey, shape, width, ...more };
}

const COLUMNS: TableColumn[] = [
  column('refund_id', 'refund_id', 'link', 100, { isSortable: true }),
  column('state', 'state', 'flags', 170),
  column('asked_usd', 'amount_usd', 'money', 90, { isSortable: true }),
  column('refunded_amount_usd', 'landed_usd', 'money-strong', 92),
  column('item_name', 'item_name', 'text', 130, { isOptional: true }),
  column('period_id', 'period_id', 'link', 116, { isSortable: true }),
  column('subscription_id', 'subscription_id', 'link', 230, { isOptional: true }),
  column('requested_by', 'requested_by', 'text', 112),
  column('owner', 'owner', 'text', 112),
  column('requested_at', 'age', 'text', 124),
  column('ended_at', 'ended_at', 'text', 160, { isOptional: true }),
  column('reversal_seen_at', 'reversal', 'text', 176),
];

export interface RefundsSource {
  game: Game;
  personId: string;
  mayRequest: boolean;
  mayExport: boolean;
}

/** All refunds of a game. */
export const refundsList = defineList<RefundsSource, (typeof REFUND_CHIPS)[number]>({
  sorts: REFUND_SORTS,
  chips: REFUND_CHIPS,
  spec: ({ game, ...may }) => refundTable(game.slug, may),
  rows: async ({ game, personId }, { page, find, chip }) => {
    const { rows, ...rest } = await listRefunds(db(), game.gameId, { chip, find, personId }, page);
    return { rows: rows.map((row) => refundTableRow(game.slug, row, game.timeZone)), ...rest };
  },
});

/** The register of all refunds. `mayRequest`: the person can have refunds assigned; `mayExport`: they can export files. */
export function refundTable(slug: string, { mayRequest, mayExport }: { mayRequest: boolean; mayExport: boolean }): TableSpec {
  return {
    noun: ['refund', 'refunds'],
    columns: COLUMNS,
    chips: [
      { key: 'all', label: 'All' },
      { key: 'for_people', label: 'Action needed' },
      { key: 'under_way', label: 'In progress' },
      { key: 'landed', label: 'Refunded' },
      { key: 'not_carried_out', label: 'Ended without a refund' },
      ...(mayRequest ? [{ key: 'mine', label: 'Assigned to me' }] : []),
    ],
    rowsHref: `/${slug}/lists/refunds/rows`,
    ...(mayExport ? { fileHref: `/${slug}/lists/refunds/file`, isOnlyFile: true } : {}),
    defaultSort: { key: 'refund_id', dir: 'desc' },
    findLabel: 'Filter by ID, key, item or person',
    findNote: 'Keys, items and people match anywhere, IDs from their start, refund numbers in full.',
    ends: { first: 'Newest', last: 'Oldest' },
    isCompact: true,
  };
}

/** One refund as the register shows it. */
export function refundTableRow(slug: string, row: RefundRow, timeZone: string): TableRow {
  const href = `/${slug}/refunds/${row.refund_id}`;
  const { tone, label } = refundStatusText({ state: row.state, isProcessed: row.is_processed });
  const state: FlagCell[] = [{ tone, word: label }];
  return {
    id: String(row.refund_id),
    href,
    cells: {
      refund_id: { text: `Refund ${row.refund_id}`, href },
      state,
      amount_usd: row.amount_usd,
      item_name: row.item_name,
      period_id: { text: String(row.period_id), href: `/${slug}/periods/${row.period_id}` },
      subscription_id: { text: row.subscription_id, href: `/${slug}/subscriptions/${row.subscription_id}` },
      requested_by: row.requested_by_name,
      owner: row.assignee_name,
      age: formatAge(row.requested_at, row.read_at),
      // Not ended, or not refunded: an empty cell, which is not the same as a value that was not reported.
      ...(row.ended_at === null ? {} : { ended_at: formatInstant(row.ended_at, 'UTC') }),
      ...(row.state === 'landed' ? { landed_usd: row.amount_usd } : {}),
      reversal: formatReversal(row, timeZone),
    },
  };
}

function formatReversal({ state, share, reversal_seen_at, refunded_at, ended_at }: RefundRow, timeZone: string): string {
  if (state !== 'landed') return '';
  if (share === 'not_attributed') return 'None expected';
  if (reversal_seen_at !== null) return `Reported ${formatDay(reversal_seen_at)}`;
  if (share === 'unknown') return 'Unknown';
  const at = refunded_at ?? ended_at;
  return at === null ? 'Awaiting a pull' : `Expected in ${formatMonth(monthOf(at, timeZone), 'short')}`;
}
