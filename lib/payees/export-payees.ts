import type { ListFilter } from '#db/kit/list.ts';
import type { Db } from '#db/kit/open.ts';
import { type ExportedFile, exportFile, GAME_COLUMNS, gameCells, type MomentExport, writeCsv } from '#lib/audit/export-file.ts';
import { momentFileName, type SheetColumn } from '../core/csv.ts';
import type { GameRef } from '../core/game.ts';
import { PAYEES, streamPayees } from './reads/list-payees.ts';

/** The columns of the file of payment details: accounts are masked in it too. */
const PAYEE_COLUMNS: SheetColumn[] = [...GAME_COLUMNS, ...PAYEES.columns];

/** Exports the filtered recipients with their payment details, by player. No account is in it beyond its mask. */
export async function exportPayees(
  db: Db,
  game: GameRef,
  { filter, exportedAt, exportedBy }: MomentExport<ListFilter>,
): Promise<ExportedFile> {
  const scope = { gameId: game.gameId, canSeeEmails: true };
  return await exportFile(db, {
    fileName: momentFileName(`${game.slug}-payment-details`, exportedAt, filter.find !== '' || filter.chip !== 'all'),
    gameId: game.gameId,
    takenBy: exportedBy,
    columns: PAYEE_COLUMNS,
    csv: writeCsv(PAYEE_COLUMNS, streamPayees(db, scope, filter), gameCells(game)),
  });
}
