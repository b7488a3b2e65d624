import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { momentFileName, type SheetColumn, writeHeader, writeRow } from '../core/csv.ts';
import type { GameRef } from '../core/game.ts';
import { maskEmailsIn } from '../core/typed-input.ts';
import { type DeliveryFilter, streamDeliveries } from './reads/list-deliveries.ts';

/** The columns of the file of deliveries. Facts about a delivery and what it opened; a field of its body is in none. Empty: not sent, or none. */
export const DELIVERY_COLUMNS: SheetColumn[] = [
  { key: 'game', label: 'Game', kind: 'text' },
  { key: 'environment', label: 'Environment', kind: 'text' },
  { key: 'delivery_id', label: 'Delivery', kind: 'count' },
  { key: 'received_at', label: 'Received', kind: 'instant' },
  { key: 'event_type', label: 'Event', kind: 'text' },
  { key: 'event_created_at', label: 'Event created', kind: 'instant' },
  { key: 'about_kind', label: 'Object', kind: 'text' },
  { key: 'about_id', label: 'Object ID', kind: 'text' },
  { key: 'receipt_count', label: 'Attempts', kind: 'count' },
  { key: 'state', label: 'Status', kind: 'text' },
  { key: 'settled_at', label: 'Settled', kind: 'instant' },
  { key: 'conflict_with', label: 'In conflict with', kind: 'count' },
  { key: 'body_problem', label: 'Problem with the body', kind: 'text' },
  { key: 'read_kind', label: 'Read', kind: 'text' },
  { key: 'read_subject', label: 'Read ID', kind: 'text' },
  { key: 'read_outcome', label: 'Read outcome', kind: 'text' },
  { key: 'read_at', label: 'Read at', kind: 'instant' },
  { key: 'idempotency_key', label: 'Idempotency key', kind: 'text' },
  { key: 'key_problem', label: 'Problem with the key', kind: 'text' },
  { key: 'tenant_id', label: 'Game ID at Invo', kind: 'text' },
  { key: 'event_id', label: 'Event ID', kind: 'text' },
  { key: 'header_event_id', label: 'Event ID of the header', kind: 'text' },
  { key: 'signed_at', label: 'Signed', kind: 'instant' },
  { key: 'secret_slot', label: 'Verified with', kind: 'text' },
  { key: 'secret_version', label: 'Secret version', kind: 'text' },
  { key: 'signature_count', label: 'Signatures', kind: 'count' },
  { key: 'is_test', label: 'Test', kind: 'boolean' },
  { key: 'body_bytes', label: 'Body bytes', kind: 'count' },
  { key: 'body_sha256', label: 'SHA-256 digest of the body', kind: 'text' },
];

export interface DeliveriesExport {
  filter: DeliveryFilter;
  /** The time of the export, ISO 8601 ending in Z: deliveries are repeated and read later, so the file is of that moment. */
  exportedAt: string;
  /** Email of the person who exports. */
  exportedBy: string;
}

/** Exports the filtered deliveries, oldest first, one row per signed meaning. What Invo sends as an ID or a key could be an email, so all text is masked. */
export async function exportDeliveries(
  db: Db,
  game: GameRef,
  { filter, exportedAt, exportedBy }: DeliveriesExport,
): Promise<{ fileName: string; text: AsyncIterable<string> }> {
  const fileName = momentFileName(`${game.slug}-webhooks`, exportedAt, filter.find !== '' || filter.chip !== 'all');
  await recordAudit(db, { actor: exportedBy, gameId: game.gameId, act: 'took a file', subject: fileName });
  return { fileName, text: writeDeliveries(db, game, filter) };
}

async function* writeDeliveries(db: Db, game: GameRef, filter: DeliveryFilter): AsyncGenerator<string> {
  yield writeHeader(DELIVERY_COLUMNS);
  for await (const row of streamDeliveries(db, game.gameId, filter)) {
    const cells = Object.entries(row).map(([key, cell]) => [key, typeof cell === 'string' ? maskEmailsIn(cell) : cell]);
    yield writeRow(DELIVERY_COLUMNS, { ...Object.fromEntries(cells), game: game.slug, environment: game.environment });
  }
}
