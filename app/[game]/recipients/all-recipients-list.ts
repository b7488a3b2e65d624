import 'server-only';
import type { Game } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import type { Person } from '#app/_server/session.ts';
import type { TableRow, TableSpec } from '#app/_ui/data-table/table-spec.ts';
import { formatMonth } from '#app/_ui/figures/format.ts';
import { negateMoney } from '#lib/core/money.ts';
import { ALL_RECIPIENTS, type AllRecipientsRow, listCompleteMonths, listRecipients } from '#lib/evidence/reads/recipients.ts';
import { defineList, ordersAndChips, specOf } from '../_rows/define-list.ts';
import { shownTotal } from '../_rows/month-table.ts';

interface AllRecipientsSource {
  game: Game;
  /** The snapshots of the complete months. */
  snapshotIds: number[];
  canSeeEmails: boolean;
}

/** Every recipient with figures in a complete month, over all complete months. */
export const allRecipientsList = defineList<AllRecipientsSource>({
  ...ordersAndChips(ALL_RECIPIENTS),
  right: 'figures.read',
  findSource: async ({ game, person }) => allRecipientsOf(game, person, (await listCompleteMonths(db(), game)).months),
  spec: allRecipientsSpec,
  rows: async (source, request) => {
    const { rows, next, total } = await listRecipients(db(), source, request);
    const spec = allRecipientsSpec(source);
    return { rows: rows.map((row) => allRecipientsRow(source.game.slug, row)), next, total: total && shownTotal(spec, total) };
  },
});

/** The recipients of these months as a person has them. */
export function allRecipientsOf(game: Game, person: Person, months: { snapshotId: number }[]): AllRecipientsSource {
  return { game, snapshotIds: months.map(({ snapshotId }) => snapshotId), canSeeEmails: person.may('emails.read') };
}

function allRecipientsSpec({ game, canSeeEmails }: AllRecipientsSource): TableSpec {
  return { ...specOf(ALL_RECIPIENTS, { canSeeEmails, recipient: null }), rowsHref: `/${game.slug}/lists/all-recipients/rows` };
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
