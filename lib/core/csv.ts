import { writeMoney } from './money.ts';

/** How a cell of a sheet is written and shown. Money has the reported digits; only text is escaped against formulas. */
export type CellKind = 'text' | 'money' | 'coins' | 'count' | 'percent' | 'instant' | 'boolean';

/** How a screen draws a cell: as its kind, or as something more. */
export type CellShape = CellKind | 'identity' | 'id' | 'money-strong' | 'link' | 'months' | 'flags';

export interface SheetColumn {
  /** The column's name in the file and in the query: Invo's own field name where it is Invo's fact. */
  key: string;
  /** Its heading on a screen. */
  label: string;
  kind: CellKind;
  /** Whether the manifest and the totals row sum it. */
  isSummed?: true;
}

/** The name of a file of what is true at one moment, such as `demo-refunds-2026-11-23T062200Z.filtered.csv`. `exportedAt`: ISO 8601 ending in Z. */
export function momentFileName(name: string, exportedAt: string, isFiltered: boolean): string {
  return `${name}-${exportedAt.slice(0, 19).replaceAll(':', '')}Z${isFiltered ? '.filtered' : ''}.csv`;
}

/** The first line of a sheet. */
export function writeHeader(columns: SheetColumn[]): string {
  return writeRecord(columns.map((column) => column.key));
}

/** One row of a sheet as RFC 4180 text, CRLF at its end. Cells come by the column's key; null is empty, never 0. */
export function writeRow(columns: SheetColumn[], row: Record<string, unknown>): string {
  return writeRecord(columns.map((column) => writeCell(column.kind, row[column.key] ?? null)));
}

function writeCell(kind: CellKind, value: unknown): string {
  if (value === null) return '';
  if (kind === 'money' || kind === 'coins') return writeMoney(String(value));
  return kind === 'text' ? guardText(String(value)) : String(value);
}

/** A spreadsheet reads text that begins like this as a formula; numbers are never escaped, or a negative amount would become text. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;

/** The same inside a cell, for programs that begin a cell at each semicolon or tab too. */
const INNER_FORMULA = /(?<=.[;\t])(?=[=+\-@＝＋－＠])/gs;

/** Whether a program could read a text cell, or a part of it, as a formula. */
export function isFormula(text: string): boolean {
  return guardText(text) !== text;
}

function guardText(text: string): string {
  const guarded = text.replace(INNER_FORMULA, "'");
  return FORMULA.test(text) ? `'${guarded}` : guarded;
}

/** One record of cells that are written as they are, CRLF at its end. */
export function writeRecord(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}

/** Records handed over at a time. */
const BATCH_RECORDS = 200;

/**
 * Parses CSV as this file and COPY write it, in batches of records, the header among them. Pieces may end anywhere.
 * Errors: throws when the text ends within a record, or is no such CSV.
 */
export async function* parseCsv(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<string[][]> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let held = '';
  for await (const piece of pieces) {
    held += typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
    let used = 0;
    for (;;) {
      const { records, end } = takeRecords(held, used);
      if (records.length === 0) break;
      used = end;
      yield records;
    }
    held = held.slice(used);
  }
  if (held !== '') throw new Error(`a CSV that ends within a record of ${held.length} characters`);
}

/** A cell and what ends it; a quote inside is doubled. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n)/y;

/** The next whole records, and where the last one ends. */
function takeRecords(text: string, from: number): { records: string[][]; end: number } {
  const records: string[][] = [];
  let record: string[] = [];
  let end = from;
  CELL.lastIndex = from;
  while (records.length < BATCH_RECORDS) {
    const found = CELL.exec(text);
    if (found === null) break;
    const [, quoted, plain = '', ending] = found;
    record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (ending === ',') continue;
    records.push(record);
    record = [];
    end = CELL.lastIndex;
  }
  return { records, end };
}
