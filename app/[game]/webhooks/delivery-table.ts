import 'server-only';
import type { Game } from '#app/_server/game.ts';
import { db, downloads, storedNow } from '#app/_server/server-context.ts';
import type { FlagCell, TableRow, TableSpec } from '#app/_ui/data-table/table-spec.ts';
import { formatInstant } from '#app/_ui/figures/format.ts';
import { exportDeliveries } from '#lib/webhooks/export-deliveries.ts';
import { DELIVERIES, type DeliveryRow, listDeliveries } from '#lib/webhooks/reads/list-deliveries.ts';
import { needsPerson } from '#lib/webhooks/rules/delivery.ts';
import { DELIVERY_STATE_TEXT, formatAbout } from '#lib/webhooks/text.ts';
import { defineList, ordersAndChips, specOf } from '../_rows/define-list.ts';

interface DeliveriesSource {
  game: Game;
  attentionCount: number;
  mayExport: boolean;
}

/** All deliveries of a game. */
export const deliveriesList = defineList<DeliveriesSource>({
  ...ordersAndChips(DELIVERIES),
  right: 'deliveries.read',
  findSource: async ({ game }) => ({ game, attentionCount: 0, mayExport: false }),
  spec: deliveryTable,
  rows: async ({ game }, request) => {
    const { rows, ...rest } = await listDeliveries(db(), game, request);
    return { rows: rows.map((row) => deliveryTableRow(game.slug, row)), ...rest };
  },
  exportRows: async ({ game, person }, { find, chip }) => {
    const about = { filter: { find, chip }, exportedAt: await storedNow(), exportedBy: person.email };
    return await exportDeliveries(downloads().db, game, about);
  },
});

function deliveryTable({ game: { slug }, attentionCount, mayExport }: DeliveriesSource): TableSpec {
  const spec = specOf(DELIVERIES, { canSeeEmails: false, recipient: null });
  return {
    ...spec,
    chips: spec.chips.map((chip) => (chip.key === 'attention' && attentionCount > 0 ? { ...chip, count: attentionCount } : chip)),
    rowsHref: `/${slug}/lists/deliveries/rows`,
    ...(mayExport ? { fileHref: `/${slug}/lists/deliveries/file`, isOnlyFile: true } : {}),
    // The file begins with the oldest.
    defaultSort: { key: 'received_at', dir: 'desc' },
    ends: { first: 'Newest', last: 'Oldest' },
  };
}

/** One delivery as the list shows it. */
function deliveryTableRow(slug: string, row: DeliveryRow): TableRow {
  const href = `/${slug}/webhooks/${row.delivery_id}`;
  const object = row.about_kind === null || row.about_id === null ? null : formatAbout(row.about_kind, row.about_id);
  return {
    id: String(row.delivery_id),
    href,
    cells: {
      event_type: {
        text: row.is_test ? 'Set-up check' : (row.event_type ?? 'Unreadable'),
        href,
        ...(object !== null && { narrowNote: object }),
      },
      ...(object !== null && { object }),
      received_at: formatInstant(row.received_at, 'UTC', 'second'),
      receipt_count: row.receipt_count,
      state: flagsOf(row),
      ...(row.idempotency_key === null ? {} : { idempotency_key: row.idempotency_key }),
      secret_version: row.secret_version ?? row.secret_slot,
    },
  };
}

/** The state in a word, quiet once a person has settled it; a refund that wasn’t made here says so instead. */
function flagsOf({ state, settled_at, read_outcome, is_test: isTest }: DeliveryRow): FlagCell[] {
  const { label, tone } = DELIVERY_STATE_TEXT[state];
  const isSettled = settled_at !== null && needsPerson(state);
  if (state === 'processed' && read_outcome === 'refunded_elsewhere') return [{ tone: 'wait', word: 'Refunded elsewhere' }];
  return [
    { tone: isSettled ? 'quiet' : tone, word: isSettled ? `${label}, settled` : label },
    ...(isTest ? [{ tone: 'quiet' as const, word: 'Test' }] : []),
  ];
}
