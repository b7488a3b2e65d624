import { fileRows, filterRows, type ListFilter } from '#db/kit/list.ts';
import type { Db } from '#db/kit/open.ts';
import { type ExportedFile, exportFile, GAME_COLUMNS, gameCells, type MomentExport, writeCsv } from '../audit/export-file.ts';
import { momentFileName, type SheetColumn } from '../core/csv.ts';
import type { GameRef } from '../core/game.ts';
import { EXCEPTIONS } from './reads.ts';
import type { ExceptionPeriod } from './rules/exceptions.ts';

const COLUMNS: SheetColumn[] = [...GAME_COLUMNS, ...EXCEPTIONS.columns];

/** Exports the filtered acts outside the normal path of a period, oldest first. That it was taken is recorded before its first byte. */
export async function exportExceptions(
  db: Db,
  game: GameRef,
  { period, filter, exportedAt, exportedBy }: MomentExport<ListFilter> & { period: ExceptionPeriod },
): Promise<ExportedFile> {
  const source = { gameId: game.gameId, window: period.window };
  const name = ['exceptions', period.text].filter((part) => part !== '').join('-');
  return await exportFile(db, {
    fileName: momentFileName(`${game.slug}-${name}`, exportedAt, filter.find !== '' || filter.chip !== 'all'),
    gameId: game.gameId,
    takenBy: exportedBy,
    columns: COLUMNS,
    csv: writeCsv(COLUMNS, fileRows(db, EXCEPTIONS, source, filterRows(EXCEPTIONS, source, filter)).stream(BATCH_ROWS), gameCells(game)),
  });
}

const BATCH_ROWS = 500;
