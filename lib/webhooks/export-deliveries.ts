import type { ListFilter } from '#db/kit/list.ts';
import type { Db } from '#db/kit/open.ts';
import { type ExportedFile, exportFile, GAME_COLUMNS, gameCells, type MomentExport, writeCsv } from '#lib/audit/export-file.ts';
import { momentFileName, type SheetColumn } from '../core/csv.ts';
import type { GameRef } from '../core/game.ts';
import { maskEmailsIn } from '../core/typed-input.ts';
import { DELIVERIES, streamDeliveries } from './reads/list-deliveries.ts';

/** The columns of the file of deliveries. */
export const DELIVERY_COLUMNS: SheetColumn[] = [...GAME_COLUMNS, ...DELIVERIES.columns];

/** Exports the filtered deliveries, oldest first, one row per signed meaning. What Invo sends as an ID or a key could be an email, so all text is masked. */
export async function exportDeliveries(
  db: Db,
  game: GameRef,
  { filter, exportedAt, exportedBy }: MomentExport<ListFilter>,
): Promise<ExportedFile> {
  return await exportFile(db, {
    fileName: momentFileName(`${game.slug}-webhooks`, exportedAt, filter.find !== '' || filter.chip !== 'all'),
    gameId: game.gameId,
    takenBy: exportedBy,
    columns: DELIVERY_COLUMNS,
    csv: writeCsv(DELIVERY_COLUMNS, maskRows(streamDeliveries(db, game.gameId, filter)), gameCells(game)),
  });
}

async function* maskRows(rows: AsyncIterable<Record<string, unknown>>): AsyncGenerator<Record<string, unknown>> {
  for await (const row of rows)
    yield Object.fromEntries(Object.entries(row).map(([key, cell]) => [key, typeof cell === 'string' ? maskEmailsIn(cell) : cell]));
}
