import type { TableRow, TableSpec, TableTotal } from '#app/_ui/data-table/table-words.ts';
import { formatMonth } from '#app/_ui/figures/format-instant.ts';
import type { AllRecipientsRow } from '#db/evidence/reads/recipients.ts';
import type { RowTotal } from '#db/kit/paging.ts';
import { negateMoney } from '#lib/core/money.ts';

/** The table of everybody who ever earned something or owes something back, over the complete months. */
export function allRecipientsTable(slug: string, canSeeEmails: boolean): TableSpec {
  return {
    noun: ['recipient', 'recipients'],
    columns: [
      { key: 'recipient_name', label: 'Recipient', shape: 'identity', width: 230, isSortable: true },
      { key: 'recipient_player_id', label: 'Player', shape: 'id', width: 90, isSortable: true },
      { key: 'renewal_count', label: 'Renewals', shape: 'count', width: 96, isSortable: true },
      { key: 'gross_attributed_usd', label: 'Earned', shape: 'money', width: 118, isSortable: true },
      { key: 'reversed_attributed_usd', label: 'Reversed', shape: 'money', width: 118, isSortable: true },
      { key: 'net_attributed_usd', label: 'Net', shape: 'money-strong', width: 124, isSortable: true },
      { key: 'month_count', label: 'Months', shape: 'count', width: 84, isSortable: true },
      { key: 'last_month', label: 'Last month', shape: 'link', width: 130, isSortable: true },
      { key: 'flags', label: 'Remarks', shape: 'flags', width: 150 },
    ],
    chips: [{ key: 'all', label: 'All' }],
    rowsHref: `/${slug}/recipients/rows`,
    defaultSort: { key: 'net_attributed_usd', dir: 'desc' },
    findLabel: canSeeEmails ? 'Filter by name, e-mail or player id' : 'Filter by name or player id',
    ends: { first: 'Highest net', last: 'Lowest net' },
  };
}

/** One recipient over all complete months as the table shows it. */
export function allRecipientsTableRow(slug: string, row: AllRecipientsRow): TableRow {
  const href = `/${slug}/recipients/${row.recipient_player_id}`;
  const note = row.recipient_email ?? (row.resolved === false ? 'not found at Invo' : 'e-mail not recorded');
  return {
    id: String(row.recipient_player_id),
    href,
    cells: {
      recipient_name: { name: row.recipient_name, playerId: row.recipient_player_id, note, href },
      recipient_player_id: row.recipient_player_id,
      renewal_count: row.renewal_count,
      gross_attributed_usd: row.gross_attributed_usd,
      reversed_attributed_usd: negateMoney(row.reversed_attributed_usd),
      net_attributed_usd: row.net_attributed_usd,
      month_count: row.month_count,
      last_month: { text: formatMonth(row.last_month), href: `/${slug}/months/${row.last_month}?find=${row.recipient_player_id}` },
      flags: row.resolved === false ? [{ tone: 'bad', word: 'unresolved' }] : [],
    },
  };
}

/** The totals row of all recipients. */
export function allRecipientsTotal({ count, sums }: RowTotal): TableTotal {
  return { count, sums: { ...sums, reversed_attributed_usd: negateMoney(sums.reversed_attributed_usd ?? '0.00') } };
}
