import type { ListFilter } from '#db/kit/list.ts';
import type { Db } from '#db/kit/open.ts';
import { type ExportedFile, exportFile, GAME_COLUMNS, gameCells, type MomentExport, writeCsv } from '#lib/audit/export-file.ts';
import { momentFileName, type SheetColumn } from '../core/csv.ts';
import type { GameRef } from '../core/game.ts';
import { PAYMENTS, type PaymentsOf, streamPayments } from './reads/list-payments.ts';

/** The columns of the list of payments as a file: accounts are masked in it too. It is no payment file. */
const PAYMENT_COLUMNS: SheetColumn[] = [...GAME_COLUMNS, ...PAYMENTS.columns];

/** Exports the filtered payments of a run, by reference. */
export async function exportPayments(
  db: Db,
  game: GameRef,
  run: Pick<PaymentsOf, 'runId' | 'runNo'>,
  { filter, exportedAt, exportedBy }: MomentExport<ListFilter>,
): Promise<ExportedFile> {
  const scope = { gameId: game.gameId, runId: run.runId, runNo: run.runNo, canSeeEmails: true };
  const isFiltered = filter.find !== '' || filter.chip !== 'all';
  return await exportFile(db, {
    fileName: momentFileName(`${game.slug}-run${run.runNo}-payments`, exportedAt, isFiltered),
    gameId: game.gameId,
    takenBy: exportedBy,
    columns: PAYMENT_COLUMNS,
    csv: writeCsv(PAYMENT_COLUMNS, streamPayments(db, scope, filter), gameCells(game)),
  });
}
