import 'server-only';
import type { Game } from '#app/_server/game.ts';
import { db, downloads, storedNow } from '#app/_server/server-context.ts';
import type { TableRow } from '#app/_ui/data-table/table-spec.ts';
import { formatInstant } from '#app/_ui/figures/format.ts';
import { defineList, ordersAndChips, specOf } from '#app/[game]/_rows/define-list.ts';
import type { Tone } from '#lib/core/strings.ts';
import { exportPayees } from '#lib/payees/export-payees.ts';
import { type ListedPayee, listPayees, PAYEES } from '#lib/payees/reads/list-payees.ts';
import type { DetailState } from '#lib/payees/rules/details.ts';
import { DETAIL_STATE_TEXT, METHOD_TEXT } from '#lib/payees/text.ts';

interface PayeesSource {
  game: Game;
  canSeeEmails: boolean;
  mayExport: boolean;
}

/** Every recipient with the payment details in force. */
export const payeesList = defineList<PayeesSource>({
  ...ordersAndChips(PAYEES),
  right: 'payees.read',
  findSource: async ({ game, person }) => ({ game, canSeeEmails: person.may('emails.read'), mayExport: false }),
  spec: ({ game: { slug }, canSeeEmails, mayExport }) => ({
    ...specOf(PAYEES, { canSeeEmails, recipient: null }),
    rowsHref: `/${slug}/lists/payees/rows`,
    ...(mayExport ? { fileHref: `/${slug}/lists/payees/file`, isOnlyFile: true } : {}),
  }),
  rows: async ({ game, canSeeEmails }, request) => {
    const { rows, ...rest } = await listPayees(db(), { gameId: game.gameId, canSeeEmails }, request);
    return { rows: rows.map((row) => payeeRow(game.slug, row)), ...rest };
  },
  exportRows: async ({ game, person }, { find, chip }) => {
    const about = { filter: { find, chip }, exportedAt: await storedNow(), exportedBy: person.email };
    return await exportPayees(downloads().db, game, about);
  },
});

/** The tone of each state of payment details. */
const DETAIL_TONES: Record<DetailState, Tone> = { none: 'quiet', proposed: 'wait', in_force: 'good', changed: 'bad' };

function payeeRow(slug: string, row: ListedPayee): TableRow {
  const { recipient_player_id: playerId, recipient_name: name, state, is_proposed: isProposed } = row;
  const href = `/${slug}/payouts/payees/${playerId}`;
  const states: DetailState[] = isProposed ? (state === 'none' ? ['proposed'] : [state, 'proposed']) : [state];
  return {
    id: String(playerId),
    href,
    cells: {
      recipient_name: { name, playerId, note: `Player ${playerId}`, href },
      method: row.method === null ? '' : METHOD_TEXT[row.method],
      account: row.method === 'none' ? '' : (row.account ?? ''),
      country: row.country ?? '',
      state: states.map((each) => ({ tone: DETAIL_TONES[each], word: DETAIL_STATE_TEXT[each] })),
      confirmed_at: row.confirmed_at === null ? '' : formatInstant(row.confirmed_at, 'UTC', 'minute'),
    },
  };
}
