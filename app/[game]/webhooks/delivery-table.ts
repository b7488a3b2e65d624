import 'server-only';
import type { Game } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import type { FlagCell, TableColumn, TableRow, TableSpec } from '#app/_ui/data-table/table-spec.ts';
import { formatInstant } from '#app/_ui/figures/format.ts';
import {
  DELIVERY_CHIPS,
  DELIVERY_SORTS,
  type DeliveryChip,
  type DeliveryRow,
  listDeliveries,
} from '#lib/webhooks/reads/list-deliveries.ts';
import { needsPerson } from '#lib/webhooks/rules/delivery.ts';
import { DELIVERY_STATE_TEXT, formatAbout } from '#lib/webhooks/text.ts';
import { defineList } from '../_rows/define-list.ts';

const COLUMNS: TableColumn[] = [
  { key: 'event', label: 'Event', shape: 'link', width: 200 },
  { key: 'object', label: 'Object', shape: 'text', width: 240 },
  { key: 'received_at', label: 'Received, UTC', shape: 'text', width: 170, isSortable: true },
  { key: 'receipts', label: 'Attempts', shape: 'count', width: 84 },
  { key: 'state', label: 'Status', shape: 'flags', width: 156, isKey: true },
  { key: 'key', label: 'Idempotency key', shape: 'id', width: 200, isOptional: true },
  { key: 'secret', label: 'Secret version', shape: 'text', width: 130, isOptional: true },
];

export interface DeliveriesSource {
  game: Game;
  attentionCount: number;
  mayExport: boolean;
}

/** All deliveries of a game. */
export const deliveriesList = defineList<DeliveriesSource, DeliveryChip>({
  sorts: DELIVERY_SORTS,
  chips: DELIVERY_CHIPS,
  spec: ({ game, ...filters }) => deliveryTable(game.slug, filters),
  rows: async ({ game }, { page, find, chip }) => {
    const { rows, ...rest } = await listDeliveries(db(), game.gameId, { chip, find }, page);
    return { rows: rows.map((row) => deliveryTableRow(game.slug, row)), ...rest };
  },
});

function deliveryTable(slug: string, { attentionCount, mayExport }: Omit<DeliveriesSource, 'game'>): TableSpec {
  return {
    noun: ['delivery', 'deliveries'],
    columns: COLUMNS,
    chips: [
      { key: 'all', label: 'All' },
      { key: 'attention', label: 'Needs attention', ...(attentionCount === 0 ? {} : { count: attentionCount }) },
      { key: 'processed', label: DELIVERY_STATE_TEXT.processed.label },
      { key: 'received', label: DELIVERY_STATE_TEXT.received.label },
      { key: 'failing', label: DELIVERY_STATE_TEXT.failing.label },
      { key: 'conflict', label: DELIVERY_STATE_TEXT.conflict.label },
      { key: 'stale', label: DELIVERY_STATE_TEXT.stale.label },
      { key: 'other_game', label: DELIVERY_STATE_TEXT.other_game.label },
      { key: 'unknown_type', label: DELIVERY_STATE_TEXT.unknown_type.label },
      { key: 'elsewhere', label: 'Refunded elsewhere' },
    ],
    rowsHref: `/${slug}/lists/deliveries/rows`,
    ...(mayExport ? { fileHref: `/${slug}/lists/deliveries/file`, isOnlyFile: true } : {}),
    defaultSort: { key: 'received_at', dir: 'desc' },
    findLabel: 'Filter by ID, key or type',
    findNote: 'Types match from their start, IDs and keys in full.',
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
      event: {
        text: row.is_test ? 'Set-up check' : (row.event_type ?? 'Unreadable'),
        href,
        ...(object !== null && { narrowNote: object }),
      },
      ...(object !== null && { object }),
      received_at: formatInstant(row.received_at, 'UTC', 'second'),
      receipts: row.receipt_count,
      state: flagsOf(row),
      ...(row.idempotency_key === null ? {} : { key: row.idempotency_key }),
      secret: row.secret_version ?? row.secret_slot,
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
