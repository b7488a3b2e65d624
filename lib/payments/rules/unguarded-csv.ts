/**
 * One record of a CSV for a payment provider, CRLF at its end. Unlike `core/csv.ts` it puts no apostrophe before what a spreadsheet could take for a formula,
 * which would break an address: `listPaymentBlockers` refuses such a file instead.
 */
export function writeUnguardedRecord(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
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
