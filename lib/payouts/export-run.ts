import { recordAudit } from '#lib/audit/writes.ts';
import { type SheetColumn, writeHeader, writeRow } from '../core/csv.ts';
import { writeXlsx, XLSX_ROWS_MAX } from '../core/xlsx.ts';
import type { OpenGame } from '../games/open-game.ts';
import { findRun, type Run } from './reads/find-run.ts';
import { RUN_LINES, streamRunLines } from './reads/run-lines.ts';

/** The columns of a run as a file: what the run is, then the roll-forward of each recipient. */
const RUN_COLUMNS: SheetColumn[] = [
  { key: 'game', label: 'game', kind: 'text' },
  { key: 'environment', label: 'environment', kind: 'text' },
  { key: 'run_no', label: 'run_no', kind: 'count' },
  { key: 'state', label: 'state', kind: 'text' },
  { key: 'window_start', label: 'window_start', kind: 'instant' },
  { key: 'window_end', label: 'window_end', kind: 'instant' },
  { key: 'snapshot_id', label: 'snapshot_id', kind: 'count' },
  { key: 'content_digest', label: 'content_digest', kind: 'text' },
  ...RUN_LINES.columns,
];

export type RunFormat = 'csv' | 'xlsx';
export type RunExport =
  | { ok: true; fileName: string; pieces: AsyncIterable<string | Uint8Array> }
  | { ok: false; reason: 'no_run' | 'too_many_rows' };

/** Exports the lines of a run, one row per recipient. The file name of a run that isn't approved states that, because its lines can change. The export is recorded in the audit first. */
export async function exportRun(
  game: OpenGame,
  runNo: number,
  { format, exportedBy }: { format: RunFormat; exportedBy: string },
): Promise<RunExport> {
  const run = await findRun(game.db, game.gameId, { runNo });
  if (run === null) return { ok: false, reason: 'no_run' };
  if (format === 'xlsx' && run.lineCount > XLSX_ROWS_MAX) return { ok: false, reason: 'too_many_rows' };
  const fileName = `${game.slug}-run-${run.runNo}${run.state === 'approved' ? '' : `.${run.state}`}.${format}`;
  await recordAudit(game.db, { actor: exportedBy, gameId: game.gameId, act: 'took a file', subject: fileName });
  const csv = writeLines(game, run);
  return { ok: true, fileName, pieces: format === 'csv' ? csv : writeXlsx({ name: `Run ${run.runNo}`, columns: RUN_COLUMNS }, csv) };
}

async function* writeLines(game: OpenGame, run: Run): AsyncGenerator<string> {
  yield writeHeader(RUN_COLUMNS);
  const { runNo: run_no, state, window, snapshotId: snapshot_id, contentDigest } = run;
  const about = {
    game: game.slug,
    environment: game.environment,
    run_no,
    state,
    window_start: window.start,
    window_end: window.end,
    snapshot_id,
    content_digest: contentDigest,
  };
  for await (const line of streamRunLines(game.db, run)) yield writeRow(RUN_COLUMNS, { ...about, ...line });
}
