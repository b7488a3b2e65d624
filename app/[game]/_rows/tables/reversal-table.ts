import type { FlagCell, TableRow, TableSpec, TableTotal } from '#app/_ui/data-table/table-words.ts';
import { formatMonth } from '#app/_ui/figures/format-instant.ts';
import type { MonthSnapshot } from '#db/evidence/reads/month-snapshot.ts';
import { REVERSAL_CHIPS, type ReversalChip, type ReversalRow } from '#db/evidence/reads/reversal-rows.ts';
import type { RowTotal } from '#db/kit/paging.ts';
import { negateMoney } from '#lib/core/money.ts';
import { lineIdentity } from './line-identity.ts';
import { sheetColumn } from './sheet-column.ts';

const CHIP_LABELS: Record<ReversalChip, string> = { all: 'All', earlier: 'Of earlier months', coarse: 'Without receipts' };

/** The table of a month's reversals: a row per refund event, and one per reversal without receipts. */
export function reversalTable({ snapshot, month }: MonthSnapshot): TableSpec {
  return {
    noun: ['reversal', 'reversals'],
    columns: [
      sheetColumn('reversals', 'recipient_player_id', { width: 200, shape: 'identity', isSortable: true }),
      sheetColumn('reversals', 'refunded_at', { width: 180, isSortable: true }),
      sheetColumn('reversals', 'refunded_amount_usd', { width: 104, isSortable: true }),
      sheetColumn('reversals', 'reversed_attributed_usd', { width: 108, isSortable: true, shape: 'money-strong' }),
      sheetColumn('reversals', 'settled_in_this_window', { width: 108, shape: 'link', label: 'Settled in' }),
      { key: 'flags', label: 'Remarks', shape: 'flags', width: 300 },
      sheetColumn('reversals', 'originally_attributed_usd', { width: 152, isSortable: true }),
      sheetColumn('reversals', 'partner_revenue_reversed_usd', { width: 178, isSortable: true }),
      sheetColumn('reversals', 'period_id', { width: 128, shape: 'id', isSortable: true }),
      sheetColumn('reversals', 'subscription_id', { width: 150, isSortable: true }),
      sheetColumn('reversals', 'period_seq', { width: 64 }),
      sheetColumn('reversals', 'paid_at', { width: 180, isSortable: true, isOptional: true }),
      sheetColumn('reversals', 'reversal_basis', { width: 130, isOptional: true }),
      sheetColumn('reversals', 'partner_revenue_reversal_basis', { width: 150, isOptional: true }),
      sheetColumn('reversals', 'is_full_refund', { width: 160, isOptional: true }),
      sheetColumn('reversals', 'nets_to_zero_in_window', { width: 190, isOptional: true }),
    ],
    chips: REVERSAL_CHIPS.map((key) => ({ key, label: CHIP_LABELS[key] })),
    rowsHref: `/${snapshot.slug}/months/${month}/rows/reversals?snapshot=${snapshot.snapshotId}`,
    defaultSort: { key: 'recipient_player_id', dir: 'asc' },
    findLabel: 'Filter by player, period or subscription id',
    ends: { first: 'First player', last: 'Last player' },
    isCompact: true,
  };
}

/** One reversal as the table shows it; what was taken back stands as a negative figure, what Invo did not record says so. */
export function reversalTableRow({ snapshot, month }: MonthSnapshot, row: ReversalRow): TableRow {
  const href = `/${snapshot.slug}/months/${row.settledMonth}/lines?find=${row.period_id}`;
  const reversed = row.partner_revenue_reversed_usd;
  return {
    id: `${row.period_id} ${row.refunded_at ?? ''} ${row.eventNo ?? ''}`,
    href,
    cells: {
      recipient_player_id: lineIdentity(snapshot.slug, row),
      refunded_at: row.refunded_at,
      refunded_amount_usd: row.refunded_amount_usd,
      reversed_attributed_usd: negateMoney(row.reversed_attributed_usd),
      originally_attributed_usd: row.originally_attributed_usd,
      partner_revenue_reversed_usd: reversed === null ? null : negateMoney(reversed),
      settled_in_this_window: { text: row.settledMonth === month ? 'this month' : formatMonth(row.settledMonth, 'short'), href },
      flags: flagsOf(row),
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

/** The totals row of the reversals; what was not recorded is in no sum. */
export function reversalTableTotal({ count, sums }: RowTotal): TableTotal {
  const { refunded_amount_usd = '0.00', reversed_attributed_usd = '0.00', partner_revenue_reversed_usd = '0.00' } = sums;
  return {
    count,
    sums: {
      refunded_amount_usd,
      reversed_attributed_usd: negateMoney(reversed_attributed_usd),
      partner_revenue_reversed_usd: negateMoney(partner_revenue_reversed_usd),
    },
  };
}

function flagsOf(row: ReversalRow): FlagCell[] {
  const flags: FlagCell[] = [];
  if (row.reversal_basis === 'period_row') flags.push({ tone: 'wait', word: 'without receipts: time and refund not recorded' });
  if (row.nets_to_zero_in_window) flags.push({ tone: 'quiet', word: 'settled and refunded here, pays nothing' });
  else if (row.is_full_refund) flags.push({ tone: 'quiet', word: 'completes the refund' });
  if (row.partner_revenue_reversal_basis === 'none') flags.push({ tone: 'wait', word: 'your revenue was not reversed' });
  return flags;
}
