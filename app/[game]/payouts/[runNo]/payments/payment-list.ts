import 'server-only';
import type { Game } from '#app/_server/game.ts';
import { db, downloads, storedNow } from '#app/_server/server-context.ts';
import type { TableRow, TableSpec } from '#app/_ui/data-table/table-spec.ts';
import { formatDay, formatPlayer } from '#app/_ui/figures/format.ts';
import { defineList, ordersAndChips, specOf } from '#app/[game]/_rows/define-list.ts';
import { loadRun } from '#app/[game]/payouts/_run/run-lists.ts';
import { normalizeMoney } from '#lib/core/money.ts';
import type { Tone } from '#lib/core/strings.ts';
import { exportPayments } from '#lib/payments/export-payments.ts';
import { type ListedPayment, listPayments, PAYMENTS } from '#lib/payments/reads/list-payments.ts';
import type { ItemState } from '#lib/payments/rules/item-state.ts';
import type { StateSums } from '#lib/payments/rules/payment-sums.ts';
import { ITEM_STATE_TEXT, PAYMENT_METHOD_TEXT } from '#lib/payments/text.ts';
import type { Run } from '#lib/payouts/reads/find-run.ts';

interface PaymentsSource {
  game: Game;
  run: Run;
  /** How many payments are in each state; the route of rows needs none. */
  sums: StateSums;
  canSeeEmails: boolean;
  mayExport: boolean;
}

/** The tone of each state of a payment. */
export const ITEM_TONES: Record<ItemState, Tone> = {
  proposed: 'wait',
  withdrawn: 'quiet',
  waiting: 'wait',
  in_file: 'busy',
  sent: 'busy',
  pending: 'busy',
  paid: 'good',
  failed: 'bad',
  returned: 'bad',
  cancelled: 'quiet',
  reissued: 'quiet',
  to_balance: 'quiet',
};

/** The payments of a run. Accounts are masked. */
export const paymentsList = defineList<PaymentsSource>({
  ...ordersAndChips(PAYMENTS),
  right: 'payees.read',
  findSource: async ({ game, person }, params) => {
    const { run } = await loadRun(game.slug, params.get('run') ?? '');
    return { game, run, sums: {}, canSeeEmails: person.may('emails.read'), mayExport: false };
  },
  spec: paymentsSpec,
  isSelectable: true,
  rows: async ({ game, run, canSeeEmails }, { page, find, chip, ids }) => {
    const scope = { gameId: game.gameId, runId: run.runId, runNo: run.runNo, canSeeEmails, itemNos: ids };
    const { rows, ...rest } = await listPayments(db(), scope, { page, find, chip });
    return { rows: rows.map((row) => paymentRow(game.slug, run.runNo, row)), ...rest };
  },
  exportRows: async ({ game, person }, { find, chip }, params) => {
    const { run } = await loadRun(game.slug, params.get('run') ?? '');
    const about = { filter: { find, chip }, exportedAt: await storedNow(), exportedBy: person.email };
    return await exportPayments(downloads().db, game, run, about);
  },
});

function paymentsSpec({ game: { slug }, run, sums, canSeeEmails, mayExport }: PaymentsSource): TableSpec {
  const counts = Object.fromEntries(Object.entries(sums).map(([state, { count }]) => [state, count]));
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return {
    ...specOf(PAYMENTS, { canSeeEmails, recipient: null }, { counts: { all, ...counts } }),
    rowsHref: `/${slug}/lists/payments/rows?run=${run.runNo}`,
    ...(mayExport ? { fileHref: `/${slug}/lists/payments/file?run=${run.runNo}`, isOnlyFile: true } : {}),
  };
}

const PROPOSED_WORDS = { elsewhere: 'Paid elsewhere, proposed', reissue: 'To be re-issued' } as const;

function paymentRow(slug: string, runNo: number, row: ListedPayment): TableRow {
  const { recipient_player_id: playerId, recipient_name: name, payment_reference: reference, state } = row;
  const href = `/${slug}/payouts/${runNo}/payments/${reference}`;
  const word = row.proposal === null ? ITEM_STATE_TEXT[state] : PROPOSED_WORDS[row.proposal];
  return {
    id: String(row.item_no),
    href,
    cells: {
      payment_reference: { text: reference, href, narrowNote: `${formatPlayer(name, playerId)}, ${word}` },
      recipient_name: { name, playerId, note: `Player ${playerId}`, href: `/${slug}/recipients/${playerId}` },
      amount_usd: normalizeMoney(row.amount_usd),
      method: row.method === null ? 'None' : PAYMENT_METHOD_TEXT[row.method],
      account: row.account ?? '',
      state: [{ tone: ITEM_TONES[state], word }],
      batch_no: row.batch_no === null ? '' : String(row.batch_no),
      reported_on: row.reported_on === null ? '' : formatDay(row.reported_on),
    },
  };
}
