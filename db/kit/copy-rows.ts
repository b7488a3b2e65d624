import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

export type Cell = string | number | boolean | null;

/** One write per row makes COPY several times slower than its limit; 64 kB a write reaches it. */
const CHUNK_CHARACTERS = 65_536;

/**
 * Loads rows into a table by COPY, within whatever transaction the client is in. Table and column names are the caller's own words, never data.
 * Shape: each row has one cell for each column, in that order.
 */
export async function copyRows(client: pg.ClientBase, table: string, columns: readonly string[], rows: Iterable<Cell[]>): Promise<void> {
  const into = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`));
  await pipeline(Readable.from(encode(rows)), into);
}

function* encode(rows: Iterable<Cell[]>): Generator<string> {
  let chunk = '';
  for (const row of rows) {
    chunk += `${row.map(encodeCell).join('\t')}\n`;
    if (chunk.length >= CHUNK_CHARACTERS) {
      yield chunk;
      chunk = '';
    }
  }
  if (chunk !== '') yield chunk;
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function encodeCell(cell: Cell): string {
  if (cell === null) return '\\N';
  return typeof cell === 'string' ? cell.replace(/[\\\t\n\r]/g, (found) => ESCAPES[found] ?? found) : String(cell);
}
