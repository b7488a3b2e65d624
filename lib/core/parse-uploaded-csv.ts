import { CsvError, parse } from 'csv-parse/browser/esm/sync';

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

/**
 * Parses a CSV file that a person uploads: UTF-8 with or without BOM, lines ended by CRLF, LF or CR, quotes doubled within quotes. A quote after
 * other characters of a cell is one of them, and records may differ in length. In the browser, load it by `import()`: it is large.
 */
export function parseUploadedCsv(bytes: Uint8Array, { bytesMax, recordsMax, delimiter }: UploadOptions): UploadedCsv {
  const records: UploadedRecord[] = [];
  if (bytes.length > bytesMax) return { records, error: { kind: 'too_large' } };
  const decoded = decode(bytes);
  if (decoded === null) return { records, error: { kind: 'not_utf8' } };
  // csv-parse counts a CRLF within quotes as two lines.
  const text = decoded.replaceAll(/\r\n?/g, '\n');
  const encoded = new TextEncoder().encode(text);
  let [line, lineTooMany] = [1, 0];
  try {
    parse(encoded, {
      delimiter: delimiter === 'any' ? [',', ';'] : detectDelimiter(text),
      record_delimiter: '\n',
      relax_column_count: true,
      relax_quotes: true,
      rtrim: true,
      on_record: (cells: string[], { lines }) => {
        if (cells.some((cell) => cell.trim() !== '')) {
          if (records.length < recordsMax) records.push({ line, cells });
          else if (lineTooMany === 0) lineTooMany = line;
        }
        line = lines + 1;
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (lineTooMany === 0) return { records, error: { kind: 'open_quote', line: lineAt(encoded, Number(error['bytes'])) } };
  }
  return { records, error: lineTooMany === 0 ? null : { kind: 'too_many', line: lineTooMany } };
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
