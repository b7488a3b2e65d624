/** A quoted or plain cell, and what ends it. */
const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;

/** Reads a CSV by RFC 4180, each record ending in CRLF. Throws for anything else. */
export function readStrictCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  CELL.lastIndex = 0;
  for (let end = 0; end < text.length; end = CELL.lastIndex) {
    const found = CELL.exec(text);
    if (found === null) throw new Error(`no cell at ${end}: ${JSON.stringify(text.slice(end, end + 20))}`);
    row.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === ',') continue;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) throw new Error('a record that is not whole');
  return rows;
}
