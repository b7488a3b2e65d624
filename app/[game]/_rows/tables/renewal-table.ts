import type { CellContent, TableColumn, TableRow, TableSpec } from '#app/_ui/data-table/table-words.ts';
import type { MonthSnapshot } from '#db/evidence/reads/month-snapshot.ts';
import { RENEWAL_CHIPS, type RenewalChip, type RenewalRow } from '#db/evidence/reads/renewal-rows.ts';
import type { RenewalSheetRow } from '#db/evidence/reads/sheet-rows.ts';
import { formatMoney } from '#lib/core/money.ts';
import { lineIdentity } from './line-identity.ts';
import { sheetColumn } from './sheet-column.ts';

const CHIP_LABELS: Record<RenewalChip, string> = { all: 'All', base: 'Base differs' };
const OPTIONAL: [keyof RenewalSheetRow, number][] = [
  ['period_seq', 64],
  ['item_id', 120],
  ['status', 130],
  ['period_start', 180],
  ['period_end', 180],
  ['partner_revenue_settled_usd', 170],
  ['rail', 90],
  ['amount_coins', 110],
  ['balance_applied_coins', 120],
  ['card_charged_usd', 120],
  ['pcstore_charged_usd', 130],
  ['transaction_id', 160],
  ['mint_order_id', 150],
];

const PLAIN: (keyof RenewalSheetRow)[] = [
  'paid_at',
  'period_id',
  'subscription_id',
  'item_name',
  'amount_usd',
  'invo_fee_usd',
  'base_usd',
  'percent_at_renewal',
  'attributed_amount_usd',
  ...OPTIONAL.map(([key]) => key),
];

/** The table of the attributed renewals settled in a month; for one recipient alone where one is given. */
export function renewalTable({ snapshot, month }: MonthSnapshot, recipient: number | null = null): TableSpec {
  const only = recipient === null ? '' : `&recipient=${recipient}`;
  return {
    noun: ['line', 'lines'],
    columns: columnsOf(recipient !== null),
    chips: RENEWAL_CHIPS.map((key) => ({ key, label: CHIP_LABELS[key] })),
    rowsHref: `/${snapshot.slug}/months/${month}/rows/renewals?snapshot=${snapshot.snapshotId}${only}`,
    defaultSort: recipient === null ? { key: 'recipient_player_id', dir: 'asc' } : { key: 'paid_at', dir: 'asc' },
    findLabel: recipient === null ? 'Filter by player, subscription, period id or item' : 'Filter by subscription, period id or item',
    ends: recipient === null ? { first: 'First player', last: 'Last player' } : { first: 'Earliest', last: 'Latest' },
    isCompact: true,
  };
}

function columnsOf(isOneRecipient: boolean): TableColumn[] {
  const optional = OPTIONAL.map(([key, width]) => {
    const isSortable = key === 'partner_revenue_settled_usd' ? ({ isSortable: true } as const) : {};
    return sheetColumn('renewals', key, { width, isOptional: true, ...isSortable });
  });
  const period = sheetColumn('renewals', 'period_id', { width: 128, shape: 'id', isSortable: true });
  return [
    ...(isOneRecipient ? [period] : [sheetColumn('renewals', 'recipient_player_id', { width: 200, shape: 'identity', isSortable: true })]),
    sheetColumn('renewals', 'paid_at', { width: 180, isSortable: true }),
    sheetColumn('renewals', 'amount_usd', { width: 92, isSortable: true }),
    sheetColumn('renewals', 'invo_fee_usd', { width: 92, isSortable: true }),
    sheetColumn('renewals', 'base_usd', { width: 112 }),
    sheetColumn('renewals', 'percent_at_renewal', { width: 92 }),
    sheetColumn('renewals', 'attributed_amount_usd', { width: 108, isSortable: true, shape: 'money-strong' }),
    { key: 'flags', label: 'Remarks', shape: 'flags', width: 200 },
    ...(isOneRecipient ? [] : [period]),
    sheetColumn('renewals', 'subscription_id', { width: 150, isSortable: true }),
    sheetColumn('renewals', 'item_name', { width: 140, isSortable: true }),
    ...optional,
  ];
}

/** One settled renewal as the table shows it. */
export function renewalTableRow({ snapshot }: MonthSnapshot, row: RenewalRow): TableRow {
  const cells: Record<string, CellContent> = { recipient_player_id: lineIdentity(snapshot.slug, row) };
  for (const key of PLAIN) cells[key] = row[key];
  const expected = row.expectedBase === null ? '' : `, ${formatMoney(row.expectedBase)} expected`;
  cells.flags = row.base_matches_settled_fee === false ? [{ tone: 'wait', word: `base differs${expected}` }] : [];
  return { id: String(row.period_id), href: `/${snapshot.slug}/recipients/${row.recipient_player_id}`, cells };
}
