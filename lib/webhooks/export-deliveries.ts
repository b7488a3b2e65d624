import type { ListFilter } from '#db/kit/list.ts';
import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { momentFileName, type SheetColumn, writeHeader, writeRow } from '../core/csv.ts';
import type { GameRef } from '../core/game.ts';
import { maskEmailsIn } from '../core/typed-input.ts';
import { DELIVERIES, streamDeliveries } from './reads/list-deliveries.ts';

/** The columns of the file of deliveries. */
export const DELIVERY_COLUMNS: SheetColumn[] = [
  { key: 'game', label: 'Game', kind: 'text' },
  { key: 'environment', label: 'Environment', kind: 'text' },
  ...DELIVERIES.columns,
];

export interface DeliveriesExport {
  filter: ListFilter;
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

async function* writeDeliveries(db: Db, game: GameRef, filter: ListFilter): AsyncGenerator<string> {
  yield writeHeader(DELIVERY_COLUMNS);
  for await (const row of streamDeliveries(db, game.gameId, filter)) {
    const cells = Object.entries(row).map(([key, cell]) => [key, typeof cell === 'string' ? maskEmailsIn(cell) : cell]);
    yield writeRow(DELIVERY_COLUMNS, { ...Object.fromEntries(cells), game: game.slug, environment: game.environment });
  }
}
