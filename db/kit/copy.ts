import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Submittable } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type Db, isInTransaction } from './open.ts';

let cursorCount = 0;

/**
 * Reads the rows of a statement a part at a time, within the transaction of the handle. Other statements may run between two parts; what they
 * change doesn't show.
 */
export async function* fetchParts<Row>(tx: Db, statement: RawBuilder<Row>, size = 2_000): AsyncGenerator<Row[]> {
  const cursor = sql.raw(`parts_${++cursorCount}`);
  await sql`declare ${cursor} no scroll cursor for ${statement}`.execute(tx);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(size)} from ${cursor}`.execute(tx);
    if (rows.length > 0) yield rows;
    if (rows.length < size) break;
  }
  await sql`close ${cursor}`.execute(tx);
}

export type Cell = string | number | boolean | null;

/** One write per row makes COPY several times slower than its limit; 64 kB a write reaches it. */
const CHUNK_CHARACTERS = 65_536;

/**
 * Loads rows into a table by COPY, within the transaction of the handle. Table and column names are the caller's own words, never data.
 * Shape: each row has one cell for each column, in that order.
 */
export async function copyRows(tx: Db, table: string, columns: readonly string[], rows: Iterable<Cell[]>): Promise<void> {
  if (!isInTransaction(tx)) throw new Error('COPY needs a transaction: its rows are sent on the connection that took the statement');
  const into = copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`);
  await tx.executeQuery(submitted(into));
  await pipeline(Readable.from(encode(rows)), into);
}

/** A stream as a statement: the driver takes either, and hands the stream over to the connection without waiting for its end. */
function submitted(stream: Submittable): CompiledQuery {
  return CompiledQuery.raw(stream as unknown as string);
}

function* encode(rows: Iterable<Cell[]>): Generator<string> {
  let chunk = '';
  for (const row of rows) {
    for (const [index, cell] of row.entries()) chunk += index === 0 ? encodeCell(cell) : `\t${encodeCell(cell)}`;
    chunk += '\n';
    if (chunk.length >= CHUNK_CHARACTERS) {
      yield chunk;
      chunk = '';
    }
  }
  if (chunk !== '') yield chunk;
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const NEEDS_ESCAPE = /[\\\t\n\r]/;

function encodeCell(cell: Cell): string {
  if (cell === null) return '\\N';
  if (typeof cell !== 'string') return String(cell);
  return NEEDS_ESCAPE.test(cell) ? cell.replace(/[\\\t\n\r]/g, (found) => ESCAPES[found] ?? found) : cell;
}
