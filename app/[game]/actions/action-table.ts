import 'server-only';
import type { Game } from '#app/_server/game.ts';
import { db, downloads, storedNow } from '#app/_server/server-context.ts';
import type { Person } from '#app/_server/session.ts';
import type { TableRow, TableSpec } from '#app/_ui/data-table/table-spec.ts';
import { formatAge, formatInstant, formatPlayer, showControls } from '#app/_ui/figures/format.ts';
import { exportRegister } from '#lib/actions/export-actions.ts';
import { ACTIONS, type ActionRow, listActions } from '#lib/actions/reads/list-actions.ts';
import { actionStateText } from '#lib/actions/state-text.ts';
import { KIND_TEXT } from '#lib/actions/text.ts';
import { formatRequested } from '#lib/actions/title-text.ts';
import { defineList, ordersAndChips, specOf } from '../_rows/define-list.ts';

interface ActionsSource {
  game: Game;
  mayExport: boolean;
}

/** All desk actions of a game. */
export const actionsList = defineList<ActionsSource>({
  ...ordersAndChips(ACTIONS),
  right: 'desk.read',
  findSource: async ({ game, person }) => actionsOf(game, person),
  spec: actionTable,
  rows: async ({ game }, { page, find, chip }) => {
    const { rows, ...rest } = await listActions(db(), game.gameId, { find, chip }, page);
    return { rows: rows.map((row) => actionTableRow(game.slug, row)), ...rest };
  },
  exportRows: async ({ game, person }, { find, chip }) => {
    const about = { filter: { find, chip }, exportedAt: await storedNow(), exportedBy: person.email };
    return await exportRegister(downloads().db, game, about);
  },
});

/** The desk actions of a game as a person has them. */
export function actionsOf(game: Game, person: Person): ActionsSource {
  return { game, mayExport: person.may('files.export') };
}

function actionTable({ game: { slug }, mayExport }: ActionsSource): TableSpec {
  return {
    ...specOf(ACTIONS, { canSeeEmails: false, recipient: null }),
    rowsHref: `/${slug}/lists/actions/rows`,
    ...(mayExport ? { fileHref: `/${slug}/lists/actions/file`, isOnlyFile: true } : {}),
    // What needs action, then the newest. The file begins with the oldest.
    defaultSort: { key: 'state', dir: 'desc' },
    ends: { first: 'First', last: 'Last' },
  };
}

function actionTableRow(slug: string, row: ActionRow): TableRow {
  const href = `/${slug}/actions/${row.action_id}`;
  const { tone, label } = actionStateText(row.kind, row.state, row.waiting);
  const { item_name, milestone, house_account, transaction_id, order_id } = row;
  const player = formatPlayer(row.player_name, row.player_id);
  const start = row.request['start_id'];
  // A new phone is the house account’s, not the receiver’s.
  const house = row.kind === 'phone_enrolment' && house_account !== null ? `, ${house_account}` : '';
  const about = typeof start === 'number' ? `of action ${start}${house}` : order_id === null ? null : `order ${order_id}`;
  const requested = formatRequested(row) ?? about;
  return {
    id: String(row.action_id),
    href,
    cells: {
      action_id: {
        text: `${row.action_id} · ${KIND_TEXT[row.kind].label}`,
        href,
        narrowNote: requested === null ? player : `${player}, ${requested}`,
      },
      state: [{ tone, word: label }],
      player_id: { text: player, href: `/${slug}/players/${row.player_id}` },
      ...(requested === null ? {} : { requested: showControls(requested) }),
      ...withoutNulls({ item_name, milestone, house_account, transaction_id }),
      ...(order_id === null ? {} : { order_id: { text: order_id, href: `/${slug}/orders/${encodeURIComponent(order_id)}` } }),
      requested_by: row.requested_by,
      ...(row.approved_by === null ? {} : { approved_by: row.approved_by }),
      requested_at: formatAge(row.requested_at, row.read_at),
      ...(row.ended_at === null ? {} : { ended_at: formatInstant(row.ended_at, 'UTC') }),
    },
  };
}

function withoutNulls(cells: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(Object.entries(cells).flatMap(([key, text]) => (text === null ? [] : [[key, showControls(text)]])));
}
