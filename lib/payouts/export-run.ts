import { type ExportedFile, exportFile, GAME_COLUMNS, gameCells, writeCsv } from '#lib/audit/export-file.ts';
import type { SheetColumn } from '../core/csv.ts';
import { XLSX_ROWS_MAX } from '../core/xlsx.ts';
import type { OpenGame } from '../games/open-game.ts';
import { findRun } from './reads/find-run.ts';
import { RUN_LINES, streamRunLines } from './reads/run-lines.ts';

/** The columns of a run as a file: what the run is, then the roll-forward of each recipient. */
const RUN_COLUMNS: SheetColumn[] = [
  ...GAME_COLUMNS,
  { key: 'run_no', label: 'run_no', kind: 'count' },
  { key: 'state', label: 'state', kind: 'text' },
  { key: 'window_start', label: 'window_start', kind: 'instant' },
  { key: 'window_end', label: 'window_end', kind: 'instant' },
  { key: 'snapshot_id', label: 'snapshot_id', kind: 'count' },
  { key: 'content_digest', label: 'content_digest', kind: 'text' },
  ...RUN_LINES.columns,
];

export type RunFormat = 'csv' | 'xlsx';

/** Exports the lines of a run, one row per recipient. The file name of a run that isn't approved states that, because its lines can change. */
export async function exportRun(
  game: OpenGame,
  runNo: number,
  { format, exportedBy }: { format: RunFormat; exportedBy: string },
): Promise<ExportedFile | { ok: false; reason: 'no_run' | 'too_many_rows' }> {
  const run = await findRun(game.db, game.gameId, { runNo });
  if (run === null) return { ok: false, reason: 'no_run' };
  if (format === 'xlsx' && run.lineCount > XLSX_ROWS_MAX) return { ok: false, reason: 'too_many_rows' };
  return await exportFile(game.db, {
    fileName: `${game.slug}-run-${run.runNo}${run.state === 'approved' ? '' : `.${run.state}`}.${format}`,
    gameId: game.gameId,
    takenBy: exportedBy,
    sheet: `Run ${run.runNo}`,
    columns: RUN_COLUMNS,
    csv: writeCsv(RUN_COLUMNS, streamRunLines(game.db, run), {
      ...gameCells(game),
      run_no: run.runNo,
      state: run.state,
      window_start: run.window.start,
      window_end: run.window.end,
      snapshot_id: run.snapshotId,
      content_digest: run.contentDigest,
    }),
  });
}
