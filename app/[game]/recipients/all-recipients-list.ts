import 'server-only';
import type { Game } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import type { TableColumn, TableRow, TableSpec } from '#app/_ui/data-table/table-spec.ts';
import { formatMonth } from '#app/_ui/figures/format.ts';
import { negateMoney } from '#lib/core/money.ts';
import { ALL_RECIPIENTS_SORTS, type AllRecipientsRow, listRecipients } from '#lib/evidence/reads/recipients.ts';
import { formatRecipientMatch } from '#lib/evidence/text.ts';
import { defineList } from '../_rows/define-list.ts';
import { shownTotal } from '../_rows/month-table.ts';

export interface AllRecipientsSource {
  game: Game;
  /** The snapshots of the complete months. */
  snapshotIds: number[];
  canSeeEmails: boolean;
}

/** Every recipient with figures in a complete month, over all complete months. */
export const allRecipientsList = defineList<AllRecipientsSource, 'all'>({
  sorts: ALL_RECIPIENTS_SORTS,
  chips: ['all'],
  spec: allRecipientsSpec,
  rows: async ({ canSeeEmails, ...context }, { find, page }) => {
    const { rows, next, total } = await listRecipients(db(), context, { find, canSeeEmails }, page);
    return {
      rows: rows.map((row) => allRecipientsRow(context.game.slug, row)),
      next,
      total: total && shownTotal({ columns: COLUMNS }, total),
    };
  },
});

const COLUMNS: TableColumn[] = [
  { key: 'recipient_name', label: 'Recipient', shape: 'identity', width: 256, isSortable: true },
  { key: 'recipient_player_id', label: 'Player', shape: 'id', width: 90, isSortable: true },
  { key: 'renewal_count', label: 'Renewals', shape: 'count', width: 96, isSortable: true },
  { key: 'gross_attributed_usd', label: 'Gross', shape: 'money', width: 118, isSortable: true },
  { key: 'reversed_attributed_usd', label: 'Reversed', shape: 'money', width: 118, isSortable: true, isDeducted: true },
  { key: 'net_attributed_usd', label: 'Net attributed', shape: 'money-strong', width: 124, isSortable: true, isKey: true },
  { key: 'month_count', label: 'Months', shape: 'count', width: 84, isSortable: true },
  { key: 'last_month', label: 'Last month', shape: 'link', width: 130, isSortable: true },
  { key: 'flags', label: 'Remarks', shape: 'flags', width: 124 },
];

function allRecipientsSpec({ game, canSeeEmails }: AllRecipientsSource): TableSpec {
  return {
    noun: ['recipient', 'recipients'],
    columns: COLUMNS,
    chips: [{ key: 'all', label: 'All' }],
    rowsHref: `/${game.slug}/lists/all-recipients/rows`,
    defaultSort: { key: 'net_attributed_usd', dir: 'desc' },
    findLabel: canSeeEmails ? 'Search name, email or player ID' : 'Search name or player ID',
    findNote: formatRecipientMatch(canSeeEmails),
    ends: { first: 'Highest net', last: 'Lowest net' },
  };
}

function allRecipientsRow(slug: string, row: AllRecipientsRow): TableRow {
  const href = `/${slug}/recipients/${row.recipient_player_id}`;
  const note = row.recipient_email ?? (row.resolved === false ? 'not found by Invo' : 'email not reported');
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
      flags: row.resolved === false ? [{ tone: 'wait', word: 'unresolved' }] : [],
    },
  };
}
