import type { ListFilter } from '#db/kit/list.ts';
import type { Db } from '#db/kit/open.ts';
import { type ExportedFile, exportFile, GAME_COLUMNS, gameCells, type MomentExport, writeCsv } from '#lib/audit/export-file.ts';
import { momentFileName, type SheetColumn } from '../core/csv.ts';
import type { GameRef } from '../core/game.ts';
import { ACTIONS, streamActions } from './reads/list-actions.ts';

const REGISTER_COLUMNS: SheetColumn[] = [...GAME_COLUMNS, ...ACTIONS.columns];

/** Exports the filtered desk actions, oldest first, one row per action, without reasons and tickets. */
export async function exportRegister(
  db: Db,
  game: GameRef,
  { filter, exportedAt, exportedBy }: MomentExport<ListFilter>,
): Promise<ExportedFile> {
  return await exportFile(db, {
    fileName: momentFileName(`${game.slug}-actions`, exportedAt, filter.find !== '' || filter.chip !== 'all'),
    gameId: game.gameId,
    takenBy: exportedBy,
    columns: REGISTER_COLUMNS,
    csv: writeCsv(REGISTER_COLUMNS, streamActions(db, game.gameId, filter), gameCells(game)),
  });
}
