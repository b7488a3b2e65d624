import { isFormula } from '#lib/core/csv.ts';
import { writeBankLetters } from './bank-letters.ts';

/**
 * One record of a CSV for a payment provider, CRLF at its end. Unlike `core/csv.ts` it puts no apostrophe before what a spreadsheet could take for a formula,
 * which would break an address: `isPlainCell` refuses it instead.
 */
export function writeUnguardedRecord(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}

/** Whether such a CSV can hold a text unchanged: no control or format characters, and nothing that a spreadsheet takes for a formula. */
export function isPlainCell(text: string): boolean {
  return writeBankLetters(text, 'unicode').unwritten.length === 0 && !isFormula(text);
}

/**
 * The names in the first line of a pasted template, without byte order mark and spaces around them. Names have no comma and no quote inside, so quotes around
 * them are left out.
 */
export function parseTemplateHeader(line: string): string[] {
  const [first = ''] = line.replace(/^\ufeff/, '').split(/\r?\n/, 1);
  return first.split(',').map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .trim(),
  );
}
