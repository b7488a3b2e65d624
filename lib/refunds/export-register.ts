import type { Db } from '#db/kit/open.ts';
import { type ExportedFile, exportFile, GAME_COLUMNS, gameCells, type MomentExport, writeCsv } from '#lib/audit/export-file.ts';
import { momentFileName, type SheetColumn } from '../core/csv.ts';
import type { GameRef } from '../core/game.ts';
import { REFUNDS, type RefundFilter, streamRefunds } from './reads/list-refunds.ts';

/** The columns of the file. Fields of the receipt have Invo's names; empty: not reported, or not refunded. */
export const REGISTER_COLUMNS: SheetColumn[] = [...GAME_COLUMNS, ...REFUNDS.columns];

/** Exports the filtered refunds, oldest first, one row per refund. The register is Sharebook's own, so the file has no snapshot of Invo behind it. */
export async function exportRegister(
  db: Db,
  game: GameRef,
  { filter, exportedAt, exportedBy }: MomentExport<RefundFilter>,
): Promise<ExportedFile> {
  return await exportFile(db, {
    fileName: momentFileName(`${game.slug}-refunds`, exportedAt, filter.find !== '' || filter.chip !== 'all'),
    gameId: game.gameId,
    takenBy: exportedBy,
    columns: REGISTER_COLUMNS,
    csv: writeCsv(REGISTER_COLUMNS, streamRefunds(db, game.gameId, filter), gameCells(game)),
  });
}
