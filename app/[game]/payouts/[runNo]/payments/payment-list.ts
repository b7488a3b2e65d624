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
import { RUN_STATE_TEXT } from '#lib/payouts/text.ts';

interface PaymentsSource {
  game: Game;
  run: Run;
  /** How many payments are in each state; the route of rows needs none. */
  sums: StateSums;
  canSeeEmails: boolean;
  mayExport: boolean;
}

/** The tone of each state of a payment. */
const ITEM_TONES: Record<ItemState, Tone> = {
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

/** The state of a payment as people read it: what was on its way in a run that was voided is paid to nobody. */
export function paymentStatus(run: Pick<Run, 'state'>, state: ItemState): { tone: Tone; word: string } {
  if (run.state === 'void' && (state === 'waiting' || state === 'in_file')) return { tone: 'quiet', word: RUN_STATE_TEXT.void };
  return { tone: ITEM_TONES[state], word: ITEM_STATE_TEXT[state] };
}

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
    return { rows: rows.map((row) => paymentRow(game.slug, run, row)), ...rest };
  },
  exportRows: async ({ game, person }, { find, chip }, params) => {
    const { run } = await loadRun(game.slug, params.get('run') ?? '');
    const about = { filter: { find, chip }, exportedAt: await storedNow(), exportedBy: person.email };
    return await exportPayments(downloads().db, game, run, about);
  },
});

function paymentsSpec({ game: { slug }, run, sums, canSeeEmails, mayExport }: PaymentsSource): TableSpec {
  const states = Object.fromEntries(Object.entries(sums).map(([state, { count }]) => [state, count]));
  const all = Object.values(states).reduce((sum, count) => sum + count, 0);
  const counts = run.state === 'void' ? { all } : { all, ...states };
  return {
    ...specOf(PAYMENTS, { canSeeEmails, recipient: null }, { counts }),
    rowsHref: `/${slug}/lists/payments/rows?run=${run.runNo}`,
    ...(mayExport ? { fileHref: `/${slug}/lists/payments/file?run=${run.runNo}`, isOnlyFile: true } : {}),
  };
}

const PROPOSED_WORDS = { elsewhere: 'Paid elsewhere, proposed', reissue: 'To be re-issued' } as const;

function paymentRow(slug: string, run: Run, row: ListedPayment): TableRow {
  const { recipient_player_id: playerId, recipient_name: name, payment_reference: reference, state } = row;
  const href = `/${slug}/payouts/${run.runNo}/payments/${reference}`;
  const status = paymentStatus(run, state);
  const word = row.proposal === null ? status.word : PROPOSED_WORDS[row.proposal];
  return {
    id: String(row.item_no),
    href,
    cells: {
      payment_reference: { text: reference, href, narrowNote: `${formatPlayer(name, playerId)}, ${word}` },
      recipient_name: { name, playerId, note: `Player ${playerId}`, href: `/${slug}/recipients/${playerId}` },
      amount_usd: normalizeMoney(row.amount_usd),
      method: row.method === null ? 'None' : PAYMENT_METHOD_TEXT[row.method],
      account: row.account ?? '',
      state: [{ ...status, word }],
      batch_no: row.batch_no === null ? '' : String(row.batch_no),
      reported_on: row.reported_on === null ? '' : formatDay(row.reported_on),
    },
  };
}
