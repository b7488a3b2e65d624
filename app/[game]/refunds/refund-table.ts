import 'server-only';
import type { Game } from '#app/_server/game.ts';
import { db, downloads, storedNow } from '#app/_server/server-context.ts';
import type { Person } from '#app/_server/session.ts';
import type { FlagCell, TableRow, TableSpec } from '#app/_ui/data-table/table-spec.ts';
import { formatAge, formatDay, formatInstant, formatMonth } from '#app/_ui/figures/format.ts';
import { monthOf } from '#lib/core/month.ts';
import { exportRegister } from '#lib/refunds/export-register.ts';
import { listRefunds, REFUNDS, type RefundRow } from '#lib/refunds/reads/list-refunds.ts';
import { refundStatusText } from '#lib/refunds/text.ts';
import { defineList, ordersAndChips, specOf } from '../_rows/define-list.ts';

interface RefundsSource {
  game: Game;
  personId: string;
  mayRequest: boolean;
  mayExport: boolean;
}

/** All refunds of a game. */
export const refundsList = defineList<RefundsSource>({
  ...ordersAndChips(REFUNDS),
  right: 'figures.read',
  findSource: async ({ game, person }) => refundsOf(game, person),
  spec: ({ game, ...may }) => refundTable(game.slug, may),
  rows: async ({ game, personId }, { page, find, chip }) => {
    const { rows, ...rest } = await listRefunds(db(), game.gameId, { chip, find, personId }, page);
    return { rows: rows.map((row) => refundTableRow(game.slug, row, game.timeZone)), ...rest };
  },
  exportRows: async ({ game, person }, { find, chip }) => {
    const about = { filter: { find, chip, personId: person.id }, exportedAt: await storedNow(), exportedBy: person.email };
    return await exportRegister(downloads().db, game, about);
  },
});

/** The refunds of a game as a person has them. */
export function refundsOf(game: Game, person: Person): RefundsSource {
  return { game, personId: person.id, mayRequest: person.may('refunds.request'), mayExport: person.may('files.export') };
}

/** The register of all refunds. `mayRequest`: the person can have refunds assigned; `mayExport`: they can export files. */
export function refundTable(slug: string, { mayRequest, mayExport }: { mayRequest: boolean; mayExport: boolean }): TableSpec {
  const spec = specOf(REFUNDS, { canSeeEmails: false, recipient: null });
  return {
    ...spec,
    chips: spec.chips.filter(({ key }) => key !== 'mine' || mayRequest),
    rowsHref: `/${slug}/lists/refunds/rows`,
    ...(mayExport ? { fileHref: `/${slug}/lists/refunds/file`, isOnlyFile: true } : {}),
    // The file begins with the oldest.
    defaultSort: { key: 'refund_id', dir: 'desc' },
    ends: { first: 'Newest', last: 'Oldest' },
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
      asked_usd: row.asked_usd,
      item_name: row.item_name,
      period_id: { text: String(row.period_id), href: `/${slug}/periods/${row.period_id}` },
      subscription_id: { text: row.subscription_id, href: `/${slug}/subscriptions/${row.subscription_id}` },
      requested_by: row.requested_by,
      owner: row.owner,
      age: formatAge(row.requested_at, row.read_at),
      // Not ended, or not refunded: an empty cell, which is not the same as a value that was not reported.
      ...(row.ended_at === null ? {} : { ended: formatInstant(row.ended_at, 'UTC') }),
      ...(row.landed_usd === null ? {} : { landed_usd: row.landed_usd }),
      reversal: formatReversal(row, timeZone),
    },
  };
}

function formatReversal({ state, share, reversal_seen_at, refunded_at, ended_at }: RefundRow, timeZone: string): string {
  if (state !== 'landed') return '';
  if (share === 'not_attributed') return 'None expected';
  if (reversal_seen_at !== null) return `Reported ${formatDay(reversal_seen_at)}`;
  if (share === 'unknown') return 'Unknown';
  const instant = refunded_at ?? ended_at;
  return instant === null ? 'Awaiting a pull' : `Expected in ${formatMonth(monthOf(instant, timeZone), 'short')}`;
}
