import { writeMoney } from './money.ts';

/** What Invo's figures are and are not; it travels with every page and file that shows them (document 2, attribution notice). */
export const ATTRIBUTION_NOTICE = {
  settled_by_invo: false,
  invo_has_paid_no_recipient: true,
  document_type: 'attribution_report',
  not_a_remittance_advice: true,
  payer: 'partner',
  statement: 'Attribution report, not a remittance advice. Invo settles to the partner only and has paid no recipient; the payer is you.',
} as const;

/** How a cell of a sheet is written and shown. Money keeps the digits as reported; text is guarded against formulas, the rest never is. */
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

/** A spreadsheet takes text that begins like this for a formula; numbers are never guarded, or a negative amount would become text. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;

function guardText(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

function writeRecord(cells: string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}
