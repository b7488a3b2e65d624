import { writeMoney } from './money.ts';

/** How a cell of a sheet is written and shown. Money keeps the reported digits; only text is escaped against formulas. */
export type CellKind = 'text' | 'money' | 'coins' | 'count' | 'percent' | 'instant' | 'boolean';

export interface SheetColumn {
  /** The column's name in the file and in the query: Invo's own field name where it is Invo's fact. */
  key: string;
  /** Its heading on a screen. */
  label: string;
  kind: CellKind;
  /** Whether the manifest and the totals row sum it. */
  isSummed?: true;
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

function guardText(text: string): string {
  const guarded = text.replace(INNER_FORMULA, "'");
  return FORMULA.test(text) ? `'${guarded}` : guarded;
}

function writeRecord(cells: string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}
