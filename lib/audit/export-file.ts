import { createHash } from 'node:crypto';
import { streamCsv } from '#db/kit/copy-csv.ts';
import type { Db } from '#db/kit/open.ts';
import { auditSheet } from '#lib/audit/reads.ts';
import { momentFileName, type SheetColumn, writeHeader, writeRow } from '#lib/core/csv.ts';
import type { GameRef } from '#lib/core/game.ts';
import { writeXlsx } from '#lib/core/xlsx.ts';
import { type AuditFilter, isFiltered } from '../people/rules/audit-filter.ts';
import { recordAudit } from './writes.ts';

export interface FileRequest {
  /** Its ending is its format: `.xlsx` is a spreadsheet made of the CSV. */
  fileName: string;
  /** The name of the sheet of a spreadsheet. */
  sheet?: string;
  columns: readonly SheetColumn[];
  /** The whole CSV in pieces. */
  csv: AsyncIterable<Uint8Array>;
  gameId?: number;
  /** Who exports it: email of the person, or "command line"; absent: its manifest alone is wanted, and nothing is recorded. */
  takenBy?: string | undefined;
  /** Without it the bytes aren’t digested, and the file has no facts. */
  isDigested?: boolean;
}

/** What a manifest states of the bytes of a file. */
export interface FileFacts {
  /** Only of a spreadsheet; a CSV has neither. */
  format?: 'xlsx';
  /** Figures of more digits than a number of a spreadsheet can have: they are text with all digits. */
  numbers_as_text?: number;
  /** Hex. */
  sha256: string;
}

export interface ExportedFile {
  ok: true;
  fileName: string;
  /** The file in pieces. */
  bytes: AsyncIterable<Uint8Array>;
  /** Throws until the bytes have been read to their end. */
  facts(): FileFacts;
}

/** Exports rows as a file that a person or a command downloads. It is recorded in the audit before its first byte. */
export async function exportFile(db: Db, { fileName, gameId, takenBy, ...content }: FileRequest): Promise<ExportedFile> {
  if (takenBy !== undefined)
    await recordAudit(db, { actor: takenBy, ...(gameId === undefined ? {} : { gameId }), act: 'took a file', subject: fileName });
  let found: FileFacts | null = null;
  const facts = (): FileFacts => {
    if (found === null) throw new Error(`the file ${fileName} was not read to its end, or its digest was not requested`);
    return found;
  };
  return { ok: true, fileName, bytes: writePieces(fileName, content, (known) => void (found = known)), facts };
}

async function* writePieces(
  fileName: string,
  { sheet = fileName, columns, csv, isDigested = false }: Omit<FileRequest, 'fileName'>,
  onEnd: (facts: FileFacts) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let numbers_as_text = 0;
  const isXlsx = fileName.endsWith('.xlsx');
  for await (const piece of isXlsx ? writeXlsx({ name: sheet, columns }, csv, (count) => void (numbers_as_text = count)) : csv) {
    if (isDigested) hash.update(piece);
    yield piece;
  }
  if (isDigested) onEnd({ ...(isXlsx ? { format: 'xlsx', numbers_as_text } : {}), sha256: hash.digest('hex') });
}

/** A CSV with its header, of rows by the keys of the columns or of lines that COPY wrote; `fixed`: the cells that are the same in each row. */
export async function* writeCsv(
  columns: SheetColumn[],
  rows: AsyncIterable<Record<string, unknown> | Uint8Array>,
  fixed: Record<string, unknown> = {},
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(writeHeader(columns));
  for await (const row of rows) yield row instanceof Uint8Array ? row : Buffer.from(writeRow(columns, { ...row, ...fixed }));
}

/** The columns that a file of one game begins with. */
export const GAME_COLUMNS: SheetColumn[] = [
  { key: 'game', label: 'Game', kind: 'text' },
  { key: 'environment', label: 'Environment', kind: 'text' },
];

/** Their cells. */
export function gameCells({ slug, environment }: GameRef): Record<string, unknown> {
  return { game: slug, environment };
}

/** The file of what is true at one moment, such as all refunds: which rows, when and by whom. */
export interface MomentExport<Filter> {
  filter: Filter;
  /** The time of the export, ISO 8601 ending in Z: the rows change, so the file is of that moment. */
  exportedAt: string;
  /** Email of the person who exports. */
  exportedBy: string;
}

/** The columns of the audit log as a file. */
const AUDIT_COLUMNS: SheetColumn[] = [
  { key: 'audit_id', label: 'Number', kind: 'count' },
  { key: 'at', label: 'Time', kind: 'instant' },
  { key: 'actor', label: 'Person', kind: 'text' },
  { key: 'game', label: 'Game', kind: 'text' },
  { key: 'environment', label: 'Environment', kind: 'text' },
  { key: 'act', label: 'Action', kind: 'text' },
  { key: 'subject', label: 'Subject', kind: 'text' },
  { key: 'detail', label: 'Detail', kind: 'text' },
];

/** Exports the filtered audit log, oldest first, over the connections of `files`. That it was taken is recorded before, and is in the file. */
export async function exportAudit(
  { db, files }: { db: Db; files: Db },
  { filter, exportedAt, exportedBy }: MomentExport<AuditFilter>,
): Promise<ExportedFile> {
  return await exportFile(db, {
    fileName: momentFileName('audit', exportedAt, isFiltered(filter)),
    takenBy: exportedBy,
    columns: AUDIT_COLUMNS,
    csv: writeCsv(AUDIT_COLUMNS, streamCsv(files, AUDIT_COLUMNS, auditSheet(files, filter))),
  });
}
