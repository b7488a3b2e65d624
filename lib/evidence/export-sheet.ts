import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Db } from '#db/kit/open.ts';
import type { ReadComplete } from '#db/kit/replica.ts';
import { exportFile, type FileFacts, writeCsv } from '#lib/audit/export-file.ts';
import type { GameRef } from '../core/game.ts';
import type { Window } from '../core/window.ts';
import { XLSX_ROWS_MAX } from '../core/xlsx.ts';
import { findDrift } from './reads/drift.ts';
import { MONTH_SHEETS } from './reads/month-sheets.ts';
import type { ChosenRows } from './reads/month-snapshot.ts';
import { findRendition, type RenditionFacts, streamRenderedFile } from './reads/renditions.ts';
import { exceedsRows, type FileSums, streamSheetFile } from './reads/sheet-files.ts';
import { type CheckedSnapshot, findChainHead, findExportable, findSnapshot } from './reads/snapshots.ts';
import type { ChainHead } from './rules/evidence.ts';
import { ATTRIBUTION_NOTICE, RENDITION_VERSION, type SheetFormat, type SheetName } from './rules/sheets.ts';

const inflate = promisify(gunzip);

/** Describes a file: its snapshot, its sums, and whether it is complete. */
export interface Manifest extends FileFacts {
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
  /** The earlier complete snapshot of the window with other figures; null: none. A file of that one is outdated. */
  replaces_snapshot: number | null;
  /** The newest link of the game's chain when the file was written. Stored with the file, it reveals a rewritten history. */
  chain_head: ChainHead | null;
  attribution_notice: typeof ATTRIBUTION_NOTICE;
}

export interface SheetFile {
  fileName: string;
  isComplete: boolean;
  /** The file in pieces. */
  bytes: AsyncIterable<Uint8Array>;
  /** The manifest, if requested; call it once the bytes have been read to their end, or at once where the file was rendered before. Throws otherwise. */
  manifest(): Manifest;
  /** The same bytes as stored gzip members, with their digest; null: the file is written as it is read. */
  rendered: { sha256: string; members: () => AsyncIterable<Buffer> } | null;
}

export interface SheetRequest {
  window: Window;
  sheet: SheetName;
  mayBeIncomplete: boolean;
  /** Without it, a CSV. */
  format?: SheetFormat;
  /** One snapshot of the window; without it, the newest complete one. */
  snapshotId?: number | undefined;
  /** Who exports it: email of the person, or "command line". In the audit when the file is sent, not when only its manifest is. */
  takenBy?: string;
  /** Only some rows, as a screen shows them; the manifest names what they were chosen by. */
  only?: ChosenRows;
  /** Whether the manifest is wanted: without it a file that is written as it is read is neither summed nor digested. */
  hasManifest?: boolean;
  /** Refused unless the file was rendered with its snapshot. */
  isRendered?: boolean;
  /** The connections that a file is written over as it is read; without it, those of everything else. */
  files?: Db;
  /** Where the bytes of a rendered file are read; without it, in the same database as everything else. */
  readComplete?: ReadComplete;
}

export type ExportRefusal =
  | { ok: false; reason: 'never_pulled' }
  | { ok: false; reason: 'no_such_snapshot' }
  | { ok: false; reason: 'not_rendered' }
  | { ok: false; reason: 'too_many_rows'; rows_max: number }
  | { ok: false; reason: 'incomplete'; reasons: string[] };

/**
 * Writes a sheet of the newest complete snapshot of a window, or of an earlier one by its id: what was exported once can be exported again.
 * Refused when the window was never pulled, and when no snapshot of it is complete, unless an incomplete file is requested explicitly.
 * A spreadsheet is made of the CSV: same rows, same refusals, and refused when it has too many rows.
 */
export async function exportSheet(db: Db, game: GameRef, request: SheetRequest): Promise<({ ok: true } & SheetFile) | ExportRefusal> {
  const found = await findExportable(db, game.gameId, request.window, request.snapshotId);
  if (!found) return { ok: false, reason: request.snapshotId === undefined ? 'never_pulled' : 'no_such_snapshot' };
  const [snapshot, rendered, drift, chain_head] = await Promise.all([
    findSnapshot(db, game.gameId, found.snapshotId),
    request.only ? null : findRendition(db, game.gameId, found.snapshotId, request.sheet, RENDITION_VERSION),
    request.hasManifest ? findDrift(db, game.gameId, found.snapshotId) : null,
    request.hasManifest ? findChainHead(db, game.gameId) : null,
  ]);
  const isComplete = snapshot.status === 'complete';
  const reasons = isComplete ? [] : explainIncomplete(snapshot);
  if (!isComplete && !request.mayBeIncomplete) return { ok: false, reason: 'incomplete', reasons };
  if (found.newer)
    reasons.push(
      `a newer pull of this window exists: snapshot ${found.newer.snapshotId}, ${found.newer.status}; this file is of snapshot ${found.snapshotId}`,
    );
  const rendition = isComplete ? rendered : null;
  if (request.isRendered && rendition === null) return { ok: false, reason: 'not_rendered' };
  const isXlsx = request.format === 'xlsx';
  const exceeds = (rows_max: number): boolean | Promise<boolean> =>
    rendition ? rendition.rowCount > rows_max : exceedsRows(db, game, snapshot, request.sheet, rows_max, request.only?.condition);
  if (isXlsx && (await exceeds(XLSX_ROWS_MAX))) return { ok: false, reason: 'too_many_rows', rows_max: XLSX_ROWS_MAX };
  const read: ReadComplete = request.readComplete ?? ((find) => find(db));
  const csv = rendition
    ? readRendered(read, game, snapshot, request.sheet, rendition)
    : writeSheet(request.files ?? db, game, snapshot, request);
  // The digest of a rendered CSV is known before it is read.
  const known = isXlsx ? null : csv.rendered;
  const file = await exportFile(db, {
    fileName: nameFile(game.slug, request, isComplete),
    gameId: game.gameId,
    takenBy: request.takenBy,
    sheet: request.sheet,
    columns: MONTH_SHEETS[request.sheet].columns,
    csv: csv.bytes,
    isDigested: request.hasManifest === true && known === null,
  });
  const manifest = (): Manifest => {
    if (!request.hasManifest) throw new Error('the manifest of a file was not requested');
    return {
      game: game.slug,
      environment: game.environment,
      window: snapshot.window,
      snapshot_id: snapshot.snapshotId,
      snapshot_digest: snapshot.digest.toString('hex'),
      sheet: request.sheet,
      filter: request.only?.filter ?? null,
      ...csv.sums(),
      complete: isComplete,
      reasons,
      replaces_snapshot: drift?.from.snapshotId ?? null,
      chain_head,
      ...(known === null ? file.facts() : { sha256: known.sha256 }),
      attribution_notice: ATTRIBUTION_NOTICE,
    };
  };
  return { ok: true, fileName: file.fileName, isComplete, bytes: file.bytes, manifest, rendered: known };
}

/** The name of a sheet's file; it states whether the file is incomplete or has only some rows. */
function nameFile(slug: string, { sheet, window, only, format = 'csv' }: SheetRequest, isComplete: boolean): string {
  const [start, end] = [window.start, window.end].map((instant) => instant.replace(/T00:00:00Z$/, '').replaceAll(':', ''));
  return `${slug}-${sheet}-${start}-${end}${only ? '.filtered' : ''}${isComplete ? '' : '.incomplete'}.${format}`;
}

/** The CSV of a sheet, and its sums for the manifest. */
interface SheetCsv extends Pick<SheetFile, 'bytes' | 'rendered'> {
  sums(): FileSums;
}

/** A file rendered when its snapshot was stored. Bytes that don't match its digest end in an error, never in a complete file. */
function readRendered(
  read: ReadComplete,
  game: GameRef,
  { snapshotId }: CheckedSnapshot,
  sheet: SheetName,
  rendition: RenditionFacts,
): SheetCsv {
  const sha256 = rendition.fileSha256.toString('hex');
  const members = (): AsyncIterable<Buffer> => streamRenderedFile(read, game.gameId, snapshotId, sheet, rendition);
  async function* bytes(): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    for await (const member of members()) {
      const piece = await inflate(member);
      hash.update(piece);
      yield piece;
    }
    const found = hash.digest('hex');
    if (found !== sha256) throw new Error(`the stored ${sheet} file of snapshot ${snapshotId} has the digest ${found}, not ${sha256}`);
  }
  return { bytes: bytes(), rendered: { sha256, members }, sums: () => ({ rows: rendition.rowCount, sums: rendition.sums }) };
}

/** A file written as it is read. */
function writeSheet(db: Db, game: GameRef, snapshot: CheckedSnapshot, { sheet, only, hasManifest }: SheetRequest): SheetCsv {
  let found: FileSums | null = null;
  const options = {
    ...(only ? { condition: only.condition } : {}),
    ...(hasManifest ? { onSums: (sums: FileSums) => void (found = sums) } : {}),
  };
  const sums = (): FileSums => {
    if (found === null) throw new Error(`the ${sheet} file was not read to its end, or its manifest was not requested`);
    return found;
  };
  const bytes = writeCsv(MONTH_SHEETS[sheet].columns, streamSheetFile(db, game, snapshot, sheet, options));
  return { bytes, rendered: null, sums };
}

function explainIncomplete(snapshot: CheckedSnapshot): string[] {
  const reasons =
    snapshot.status === 'open' ? [`the window is open: covered until ${snapshot.coveredUntil}, it ends at ${snapshot.window.end}`] : [];
  const broken = snapshot.checks.filter((check) => !check.ok && check.severity === 'hard');
  return [...reasons, ...broken.map((check) => `${check.name}: expected ${check.expected}, evidence ${check.actual}`)];
}
