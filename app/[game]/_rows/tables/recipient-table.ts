import type { TableColumn, TableRow, TableSpec, TableTotal } from '#app/_ui/data-table/table-words.ts';
import { formatMonth } from '#app/_ui/figures/format-instant.ts';
import type { MonthSnapshot } from '#db/evidence/reads/month-snapshot.ts';
import type { RecipientRow } from '#db/evidence/reads/recipient-rows.ts';
import { RECIPIENT_CHIPS, type RecipientChip } from '#db/evidence/reads/recipient-rows.ts';
import type { RowTotal } from '#db/kit/paging.ts';
import { negateMoney, subtractMoney } from '#lib/core/money.ts';
import { recipientFlags } from './recipient-flags.ts';
import { sheetColumn } from './sheet-column.ts';
import { sixMonthBars } from './six-month-bars.ts';

const CHIP_LABELS: Record<RecipientChip, string> = {
  all: 'All',
  owe: 'Owe back',
  zero: 'Zero',
  unresolved: 'Unresolved',
  questions: 'With questions',
  first: 'First time',
  changed: 'Changed most',
};

/** The table of a month's recipients. */
export function recipientTable(statement: MonthSnapshot, counts: Record<RecipientChip, number>, canSeeEmails: boolean): TableSpec {
  const { snapshot, month } = statement;
  const chips = RECIPIENT_CHIPS.filter((chip) => chip === 'all' || counts[chip] > 0);
  return {
    noun: ['recipient', 'recipients'],
    columns: columnsOf(statement),
    chips: chips.map((key) => ({ key, label: CHIP_LABELS[key], count: counts[key], ...(key === 'changed' ? { sort: 'change' } : {}) })),
    rowsHref: `/${snapshot.slug}/months/${month}/rows/recipients?snapshot=${snapshot.snapshotId}`,
    defaultSort: { key: 'net_attributed_usd', dir: 'desc' },
    findLabel: canSeeEmails ? 'Filter by name, e-mail or player id' : 'Filter by name or player id',
    ends: { first: 'Highest net', last: 'Lowest net' },
  };
}

function columnsOf({ recent, previousSnapshotId }: MonthSnapshot): TableColumn[] {
  const previous = recent.at(-2);
  const change: TableColumn[] =
    previousSnapshotId === null || !previous
      ? []
      : [
          { key: 'previous_net_usd', label: formatMonth(previous.month, 'short'), shape: 'money', width: 108, isOptional: true },
          { key: 'change', label: 'Change', shape: 'money', width: 100, isSortable: true },
        ];
  return [
    sheetColumn('recipients', 'recipient_name', { width: 200, shape: 'identity', isSortable: true }),
    sheetColumn('recipients', 'recipient_player_id', { width: 74, shape: 'id', isSortable: true }),
    sheetColumn('recipients', 'renewal_count', { width: 84, isSortable: true }),
    sheetColumn('recipients', 'subscription_count', { width: 112, isSortable: true, isOptional: true }),
    sheetColumn('recipients', 'gross_attributed_usd', { width: 100, isSortable: true }),
    sheetColumn('recipients', 'reversed_attributed_usd', { width: 100, isSortable: true }),
    sheetColumn('recipients', 'net_attributed_usd', { width: 108, isSortable: true, shape: 'money-strong' }),
    ...change,
    { key: 'months', label: 'Six months', shape: 'months', width: 108 },
    { key: 'flags', label: 'Remarks', shape: 'flags', width: 236 },
    sheetColumn('recipients', 'resolved', { width: 100, isOptional: true }),
    sheetColumn('recipients', 'recipient_identity_id', { width: 150, isOptional: true }),
    sheetColumn('recipients', 'first_paid_at', { width: 180, isOptional: true }),
    sheetColumn('recipients', 'last_paid_at', { width: 180, isOptional: true }),
  ];
}

/** One recipient of a month as the table shows it; what was reversed stands as a negative figure. */
export function recipientTableRow(statement: MonthSnapshot, row: RecipientRow): TableRow {
  const href = `/${statement.snapshot.slug}/recipients/${row.recipient_player_id}`;
  const note = row.recipient_email ?? (row.resolved === false ? 'not found at Invo' : 'e-mail not recorded');
  const hasPrevious = statement.previousSnapshotId !== null;
  const previous = row.previousNet ?? '0.00';
  return {
    id: String(row.recipient_player_id),
    href,
    cells: {
      recipient_name: { name: row.recipient_name, playerId: row.recipient_player_id, note, href },
      recipient_player_id: row.recipient_player_id,
      renewal_count: row.renewal_count,
      subscription_count: row.subscription_count,
      gross_attributed_usd: row.gross_attributed_usd,
      reversed_attributed_usd: negateMoney(row.reversed_attributed_usd),
      net_attributed_usd: row.net_attributed_usd,
      ...(hasPrevious ? { previous_net_usd: previous, change: subtractMoney(row.net_attributed_usd, previous) } : {}),
      months: sixMonthBars(row.sixMonths),
      flags: recipientFlags(statement, row),
      resolved: row.resolved,
      recipient_identity_id: row.recipient_identity_id,
      first_paid_at: row.first_paid_at,
      last_paid_at: row.last_paid_at,
    },
  };
}

/** The totals row of the recipients. */
export function recipientTableTotal({ count, sums }: RowTotal): TableTotal {
  return { count, sums: { ...sums, reversed_attributed_usd: negateMoney(sums.reversed_attributed_usd ?? '0.00') } };
}
