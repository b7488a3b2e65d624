import type { CellContent, FlagCell, TableColumn, TableRow, TableSpec } from '#app/_ui/data-table/table-spec.ts';
import { formatMonth } from '#app/_ui/figures/format.ts';
import { formatMoney, negateMoney } from '#lib/core/money.ts';
import { RENEWAL_FILTERS, REVERSAL_FILTERS, type RenewalFacts, type ReversalFacts } from '#lib/evidence/rules/table-answer.ts';
import { lineIdentity, type MonthTable, sheetAddresses, sheetColumn } from './month-table.ts';

const RENEWAL_CHIP_LABELS: Record<(typeof RENEWAL_FILTERS)[number], string> = { all: 'All', base: 'Base differs' };

const OPTIONAL: [keyof RenewalFacts & string, number][] = [
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

const PLAIN: (keyof RenewalFacts & string)[] = [
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

/** The table of the attributed renewals settled in a month; those of one recipient where the month names one. */
export function renewalSpec(table: MonthTable): TableSpec {
  const isOne = table.recipient !== null;
  return {
    noun: ['line', 'lines'],
    columns: renewalColumns(isOne),
    chips: RENEWAL_FILTERS.map((key) => ({ key, label: RENEWAL_CHIP_LABELS[key] })),
    ...sheetAddresses(table, 'renewals'),
    defaultSort: isOne ? { key: 'paid_at', dir: 'asc' } : { key: 'recipient_player_id', dir: 'asc' },
    findLabel: isOne ? 'Search subscription, period ID or item' : 'Search player, subscription, period ID or item',
    findNote: 'Item names match anywhere, subscription IDs from their start, other IDs in full.',
    ends: isOne ? { first: 'Earliest', last: 'Latest' } : { first: 'First player', last: 'Last player' },
    isCompact: true,
  };
}

function renewalColumns(isOne: boolean): TableColumn[] {
  const optional = OPTIONAL.map(([key, width]) => {
    const isSortable = key === 'partner_revenue_settled_usd' ? ({ isSortable: true } as const) : {};
    return sheetColumn('renewals', key, { width, isOptional: true, ...isSortable });
  });
  const period = sheetColumn('renewals', 'period_id', { width: 128, shape: 'id', isSortable: true });
  return [
    ...(isOne ? [period] : [sheetColumn('renewals', 'recipient_player_id', { width: 200, shape: 'identity', isSortable: true })]),
    sheetColumn('renewals', 'paid_at', { width: 180, isSortable: true }),
    sheetColumn('renewals', 'amount_usd', { width: 92, isSortable: true }),
    sheetColumn('renewals', 'invo_fee_usd', { width: 92, isSortable: true }),
    sheetColumn('renewals', 'base_usd', { width: 112 }),
    sheetColumn('renewals', 'percent_at_renewal', { width: 92 }),
    sheetColumn('renewals', 'attributed_amount_usd', { width: 108, isSortable: true, shape: 'money-strong', isKey: true }),
    { key: 'flags', label: 'Remarks', shape: 'flags', width: 200 },
    ...(isOne ? [] : [period]),
    sheetColumn('renewals', 'subscription_id', { width: 216, isSortable: true }),
    sheetColumn('renewals', 'item_name', { width: 140, isSortable: true }),
    ...optional,
  ];
}

export function renewalTableRow(table: MonthTable, row: RenewalFacts): TableRow {
  const cells: Record<string, CellContent> = { recipient_player_id: lineIdentity(table, row) };
  for (const key of PLAIN) cells[key] = row[key];
  const expected = row.expectedBase === null ? '' : `, ${formatMoney(row.expectedBase)} expected`;
  cells.flags = row.base_matches_settled_fee === false ? [{ tone: 'wait', word: `base differs${expected}` }] : [];
  return { id: String(row.period_id), href: `/${table.slug}/recipients/${row.recipient_player_id}`, cells };
}

const REVERSAL_CHIP_LABELS: Record<(typeof REVERSAL_FILTERS)[number], string> = {
  all: 'All',
  earlier: 'From earlier months',
  coarse: 'Without receipts',
};

/** The table of the reversals of a month: a row per refund, and one per reversal without receipts. */
export function reversalSpec(table: MonthTable): TableSpec {
  return {
    noun: ['reversal', 'reversals'],
    columns: [
      sheetColumn('reversals', 'recipient_player_id', { width: 200, shape: 'identity', isSortable: true }),
      sheetColumn('reversals', 'refunded_at', { width: 180, isSortable: true }),
      sheetColumn('reversals', 'refunded_amount_usd', { width: 104, isSortable: true }),
      sheetColumn('reversals', 'reversed_attributed_usd', { width: 108, isSortable: true, shape: 'money-strong', isKey: true }),
      sheetColumn('reversals', 'settled_in_this_window', { width: 108, shape: 'link' }),
      { key: 'flags', label: 'Remarks', shape: 'flags', width: 300 },
      sheetColumn('reversals', 'originally_attributed_usd', { width: 152, isSortable: true }),
      sheetColumn('reversals', 'partner_revenue_reversed_usd', { width: 178, isSortable: true }),
      sheetColumn('reversals', 'period_id', { width: 128, shape: 'id', isSortable: true }),
      sheetColumn('reversals', 'subscription_id', { width: 216, isSortable: true }),
      sheetColumn('reversals', 'period_seq', { width: 64 }),
      sheetColumn('reversals', 'paid_at', { width: 180, isSortable: true, isOptional: true }),
      sheetColumn('reversals', 'reversal_basis', { width: 130, isOptional: true }),
      sheetColumn('reversals', 'partner_revenue_reversal_basis', { width: 150, isOptional: true }),
      sheetColumn('reversals', 'is_full_refund', { width: 160, isOptional: true }),
      sheetColumn('reversals', 'nets_to_zero_in_window', { width: 190, isOptional: true }),
    ],
    chips: REVERSAL_FILTERS.map((key) => ({ key, label: REVERSAL_CHIP_LABELS[key] })),
    ...sheetAddresses(table, 'reversals'),
    defaultSort: { key: 'recipient_player_id', dir: 'asc' },
    findLabel: 'Search player, period or subscription ID',
    findNote: 'Subscription IDs match from their start, other IDs in full.',
    ends: { first: 'First player', last: 'Last player' },
    isCompact: true,
  };
}

export function reversalTableRow(table: MonthTable, row: ReversalFacts): TableRow {
  const { slug, month } = table;
  const href = `/${slug}/months/${row.settledMonth}/lines?find=${row.period_id}`;
  const reversed = row.partner_revenue_reversed_usd;
  return {
    id: `${row.period_id} ${row.refunded_at ?? ''} ${row.eventNo ?? ''}`,
    href,
    cells: {
      recipient_player_id: lineIdentity(table, row),
      refunded_at: row.refunded_at,
      refunded_amount_usd: row.refunded_amount_usd,
      reversed_attributed_usd: negateMoney(row.reversed_attributed_usd),
      originally_attributed_usd: row.originally_attributed_usd,
      partner_revenue_reversed_usd: reversed === null ? null : negateMoney(reversed),
      settled_in_this_window: { text: row.settledMonth === month ? 'this month' : formatMonth(row.settledMonth, 'short'), href },
      flags: reversalFlags(row),
      period_id: row.period_id,
      subscription_id: row.subscription_id,
      period_seq: row.period_seq,
      paid_at: row.paid_at,
      reversal_basis: row.reversal_basis,
      partner_revenue_reversal_basis: row.partner_revenue_reversal_basis,
      is_full_refund: row.is_full_refund,
      nets_to_zero_in_window: row.nets_to_zero_in_window,
    },
  };
}

function reversalFlags(row: ReversalFacts): FlagCell[] {
  const flags: FlagCell[] = [];
  if (row.reversal_basis === 'period_row') flags.push({ tone: 'wait', word: 'without receipts: refund and time not reported' });
  if (row.nets_to_zero_in_window) flags.push({ tone: 'quiet', word: 'settled and refunded this month' });
  else if (row.is_full_refund) flags.push({ tone: 'quiet', word: 'completes the refund' });
  if (row.partner_revenue_reversal_basis === 'none') flags.push({ tone: 'wait', word: 'partner revenue not reversed' });
  return flags;
}
