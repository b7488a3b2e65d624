import { CsvError, parse } from 'csv-parse/browser/esm/sync';
import { runSteps, type Steps } from './steps.ts';

export interface UploadOptions {
  /** The largest file, in bytes. */
  bytesMax: number;
  /** Records it may have, the header among them; empty ones don't count. */
  recordsMax: number;
  /** What ends a cell: `any` of comma and semicolon, or, to `detect`, the one of comma, semicolon and tab that its first record has most of. */
  delimiter: 'any' | 'detect';
}

export interface UploadedCsv {
  /** The records before the error, in order, without those whose cells are all blank. */
  records: UploadedRecord[];
  /** Null: the file was read to its end. */
  error: UploadError | null;
}

export interface UploadedRecord {
  /** The line it begins on, from 1. It ends on a later one when a quoted cell has line ends. */
  line: number;
  /** Those without quotes end before their trailing spaces. Line ends within quotes are `\n`. */
  cells: string[];
}

type UploadError =
  | { kind: 'too_large' | 'not_utf8' }
  /** `line`: where the first record too many begins. */
  | { kind: 'too_many'; line: number }
  /** A quote that isn't closed, or is closed before the end of its cell. `line`: where the cell begins. */
  | { kind: 'open_quote'; line: number };

/** Characters that are parsed in a step. */
const PIECE_LENGTH = 65_536;

/**
 * Parses a CSV file that a person uploads: UTF-8 with or without BOM, lines ended by CRLF, LF or CR, quotes doubled within quotes. A quote after
 * other characters of a cell is one of them, and records may differ in length. In the browser, load it by `import()`: it is large.
 */
export function parseUploadedCsv(bytes: Uint8Array, options: UploadOptions): UploadedCsv {
  return runSteps(parseUploadedCsvInSteps(bytes, options));
}

/** The same in steps, each of some lines. `pieceLength`: characters of a step, at least. */
export function* parseUploadedCsvInSteps(
  bytes: Uint8Array,
  { bytesMax, recordsMax, delimiter }: UploadOptions,
  pieceLength = PIECE_LENGTH,
): Steps<UploadedCsv> {
  const records: UploadedRecord[] = [];
  if (bytes.length > bytesMax) return { records, error: { kind: 'too_large' } };
  const decoded = decode(bytes);
  if (decoded === null) return { records, error: { kind: 'not_utf8' } };
  // csv-parse counts a CRLF within quotes as two lines.
  const text = decoded.replaceAll(/\r\n?/g, '\n');
  const delimiters = delimiter === 'any' ? [',', ';'] : detectDelimiter(text);
  let [start, firstLine, length] = [0, 1, pieceLength];
  while (start < text.length) {
    const lineEnd = text.indexOf('\n', start + length - 1);
    const end = lineEnd === -1 ? text.length : lineEnd + 1;
    const piece = parsePiece(text.slice(start, end), delimiters);
    if (piece.openLine !== null && end < text.length) {
      // A quoted cell ends in a later line.
      length *= 2;
    } else {
      for (const { line, cells } of piece.records) {
        if (records.length >= recordsMax) return { records, error: { kind: 'too_many', line: firstLine + line - 1 } };
        records.push({ line: firstLine + line - 1, cells });
      }
      if (piece.openLine !== null) return { records, error: { kind: 'open_quote', line: firstLine + piece.openLine - 1 } };
      [start, firstLine, length] = [end, firstLine + piece.lineCount, pieceLength];
    }
    yield;
  }
  return { records, error: null };
}

interface Piece {
  /** Those before a quote that isn't closed, without blank ones. Lines are counted from 1. */
  records: UploadedRecord[];
  /** Line ends in it. */
  lineCount: number;
  /** Where a cell begins whose quote isn't closed in it; null: none does. */
  openLine: number | null;
}

function parsePiece(text: string, delimiter: string | string[]): Piece {
  const encoded = new TextEncoder().encode(text);
  const records: UploadedRecord[] = [];
  let line = 1;
  let openLine: number | null = null;
  try {
    parse(encoded, {
      delimiter,
      record_delimiter: '\n',
      relax_column_count: true,
      relax_quotes: true,
      rtrim: true,
      on_record: (cells: string[], { lines }) => {
        if (cells.some((cell) => cell.trim() !== '')) records.push({ line, cells });
        line = lines + 1;
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    openLine = lineAt(encoded, Number(error['bytes']));
  }
  return { records, lineCount: lineAt(encoded, encoded.length) - 1, openLine };
}

function decode(bytes: Uint8Array): string | null {
  try {
    // The decoder leaves a BOM out.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Ours, because that of csv-parse throws on letters outside ASCII. Without any of them, or with as many of each, a comma. */
function detectDelimiter(text: string): string {
  const counts = new Map([
    [',', 0],
    [';', 0],
    ['\t', 0],
  ]);
  for (const [found] of text.trimStart().matchAll(/"[^"]*"|[\n,;\t]/g)) {
    if (found === '\n') break;
    const count = counts.get(found);
    if (count !== undefined) counts.set(found, count + 1);
  }
  const [[delimiter] = [',']] = [...counts].toSorted(([, a], [, b]) => b - a);
  return delimiter;
}

/** The line that begins at or before a byte; `offset`: where csv-parse was when the last cell ended. */
function lineAt(encoded: Uint8Array, offset: number): number {
  return encoded.subarray(0, offset).reduce((line, byte) => (byte === 0x0a ? line + 1 : line), 1);
}
