import { createHash } from 'node:crypto';
import { recordAudit } from '#db/audit/writes.ts';
import { type ChosenRows, streamSheet } from '#db/evidence/reads/sheet-rows.ts';
import { findExportable, findSnapshot, type Snapshot } from '#db/evidence/reads/snapshots.ts';
import type { Db } from '#db/kit/open.ts';
import { writeHeader, writeRow } from '../core/csv.ts';
import type { GameRef } from '../core/game.ts';
import { sumMoney } from '../core/money.ts';
import type { Window } from '../core/window.ts';
import { ATTRIBUTION_NOTICE, SHEET_COLUMNS, type SheetName } from './rules/sheets.ts';

/** Describes a file: its snapshot, its sums, and whether it is complete. */
export interface Manifest {
  game: string;
  environment: string;
  window: Window;
  snapshot_id: number;
  snapshot_digest: string;
  sheet: SheetName;
  /** What the rows were chosen by; null: all of them. */
  filter: Record<string, string> | null;
  rows: number;
  sums: Record<string, string>;
  complete: boolean;
  reasons: string[];
  sha256: string;
  attribution_notice: typeof ATTRIBUTION_NOTICE;
}

export interface SheetFile {
  fileName: string;
  isComplete: boolean;
  /** The bytes of the file, in pieces. */
  text: AsyncIterable<string>;
  /** What stands beside it; call once the text has been read to its end. */
  manifest(): Manifest;
}

export interface AskedSheet {
  window: Window;
  sheet: SheetName;
  mayBeIncomplete: boolean;
  /** Who takes it: e-mail of the person, or "command line"; written down when the file is sent, not when only its manifest is. */
  takenBy?: string;
  /** Only some rows, as a screen shows them; the manifest names what they were chosen by. */
  only?: ChosenRows;
}

export type ExportRefusal = { ok: false; reason: 'never_pulled' } | { ok: false; reason: 'incomplete'; reasons: string[] };

/**
 * Writes a sheet of the newest complete snapshot of a window. Refused when the window was never pulled, and when no snapshot of it is
 * complete, unless an incomplete file is asked for by name.
 */
export async function exportSheet(db: Db, game: GameRef, asked: AskedSheet): Promise<({ ok: true } & SheetFile) | ExportRefusal> {
  const found = await findExportable(db, game.gameId, asked.window);
  if (!found) return { ok: false, reason: 'never_pulled' };
  const snapshot = await findSnapshot(db, game.gameId, found.snapshotId);
  const isComplete = snapshot.status === 'complete';
  const reasons = isComplete ? [] : explainIncomplete(snapshot);
  if (!isComplete && !asked.mayBeIncomplete) return { ok: false, reason: 'incomplete', reasons };
  if (found.newer)
    reasons.push(
      `a newer pull of this window exists: snapshot ${found.newer.snapshotId}, ${found.newer.status}; this file is of snapshot ${found.snapshotId}`,
    );
  const fileName = nameFile(game.slug, asked, isComplete);
  if (asked.takenBy) await recordAudit(db, { actor: asked.takenBy, gameId: game.gameId, act: 'took a file', subject: fileName });
  return { ok: true, fileName, isComplete, ...writeSheet(db, game, snapshot, asked, reasons) };
}

/** The name of a sheet's file; one that is incomplete, or only some rows, says so. */
function nameFile(slug: string, { sheet, window, only }: AskedSheet, isComplete: boolean): string {
  const [start, end] = [window.start, window.end].map((instant) => instant.replace(/T00:00:00Z$/, '').replaceAll(':', ''));
  return `${slug}-${sheet}-${start}-${end}${only ? '.filtered' : ''}${isComplete ? '' : '.incomplete'}.csv`;
}

function writeSheet(
  db: Db,
  game: GameRef,
  snapshot: Snapshot,
  { sheet, only }: AskedSheet,
  reasons: string[],
): Pick<SheetFile, 'text' | 'manifest'> {
  const columns = SHEET_COLUMNS[sheet];
  const summed = columns.filter((column) => column.isSummed);
  const sums = Object.fromEntries(summed.map((column) => [column.key, column.kind === 'count' ? '0' : '0.00']));
  const hash = createHash('sha256');
  let rows = 0;
  async function* text(): AsyncGenerator<string> {
    const header = writeHeader(columns);
    hash.update(header);
    yield header;
    for await (const batch of streamSheet(db, game, snapshot, sheet, only?.condition)) {
      const lines = batch.map((row) => writeRow(columns, row)).join('');
      for (const { key, kind } of summed) {
        const cells = batch.flatMap((row) => (row[key] === null ? [] : [String(row[key])]));
        const sum = sumMoney([sums[key] ?? '0', ...cells]);
        sums[key] = kind === 'count' ? sum.replace(/\.00$/, '') : sum;
      }
      rows += batch.length;
      hash.update(lines);
      yield lines;
    }
  }
  const manifest = (): Manifest => ({
    game: game.slug,
    environment: game.environment,
    window: snapshot.window,
    snapshot_id: snapshot.snapshotId,
    snapshot_digest: snapshot.digest.toString('hex'),
    sheet,
    filter: only?.filter ?? null,
    rows,
    sums,
    complete: snapshot.status === 'complete',
    reasons,
    sha256: hash.copy().digest('hex'),
    attribution_notice: ATTRIBUTION_NOTICE,
  });
  return { text: text(), manifest };
}

function explainIncomplete(snapshot: Snapshot): string[] {
  const reasons =
    snapshot.status === 'open' ? [`the window is open: covered until ${snapshot.coveredUntil}, it ends at ${snapshot.window.end}`] : [];
  const broken = snapshot.checks.filter((check) => !check.ok && check.severity === 'hard');
  return [...reasons, ...broken.map((check) => `${check.name}: expected ${check.expected}, evidence ${check.actual}`)];
}
