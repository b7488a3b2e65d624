import { createQueryId, type Expression, PostgresQueryCompiler, type RawBuilder, sql } from 'kysely';
import { to as copyTo } from 'pg-copy-streams';
import type { CellKind, SheetColumn } from '#lib/core/csv.ts';
import { type Db, dbOn, poolOf } from './open.ts';

/** What a reader gets at once: the server sends about 8 kB at a time, and each piece passes several streams on its way out. */
const PIECE_BYTES = 131_072;

/**
 * Writes the rows of a query as CSV by COPY, as `writeRow` of `lib/core/csv.ts` would, without a header. The query has the columns by
 * their keys, and its order is the order of the rows. `afterwards` sees the same state of the database as the rows.
 * Errors: throws before the end when the connection breaks. A reader that stops early ends the query.
 */
export async function* streamCsv(
  db: Db,
  columns: readonly SheetColumn[],
  query: Expression<unknown>,
  afterwards?: (tx: Db) => Promise<void>,
): AsyncGenerator<Buffer> {
  const client = await poolOf(db).connect();
  let isWhole = false;
  try {
    if (afterwards) await client.query('begin isolation level repeatable read, read only');
    const cells = columns.map(({ key, kind }) => writeCellSql(kind, sql.ref(`sheet.${key}`)));
    const statement = writeLiteral(sql`copy (select ${sql.join(cells)} from (${query}) as sheet) to stdout (format csv)`);
    const rows = client.query(copyTo(statement, { highWaterMark: PIECE_BYTES }));
    // The end of its connection is also reported to a stream that nobody reads any more.
    rows.on('error', () => undefined);
    const ends = new RowEnds();
    for await (const piece of joinPieces(rows)) yield ends.write(piece);
    if (afterwards) {
      await afterwards(dbOn(client));
      await client.query('commit');
    }
    isWhole = true;
  } finally {
    // A client whose COPY did not end must not go back to the pool: when it is destroyed, its backend ends at the next row.
    client.release(!isWhole);
  }
}

async function* joinPieces(small: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let held_bytes = 0;
  for await (const piece of small) {
    held.push(piece);
    held_bytes += piece.length;
    if (held_bytes < PIECE_BYTES) continue;
    yield Buffer.concat(held, held_bytes);
    held = [];
    held_bytes = 0;
  }
  if (held_bytes > 0) yield Buffer.concat(held, held_bytes);
}

/** The statement of a query with its values as literals, for COPY, which takes no parameters. */
export function writeLiteral(query: RawBuilder<unknown>): string {
  return new LiteralCompiler().compileQuery(query.toOperationNode(), createQueryId()).sql;
}

class LiteralCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.appendImmediateValue(value);
  }
}

/** The first characters of a formula as `guardText` of `lib/core/csv.ts` knows them, and 0, which is no character: an empty text. */
const GUARDED = '{0,9,13,43,45,61,64,65291,65293,65309,65312}';

/**
 * A cell of a CSV in SQL, for COPY to quote; the same as `writeRow` of `lib/core/csv.ts`, which a test compares. COPY writes NULL as an
 * empty cell and an empty text as a quoted one, so an empty text is made NULL.
 */
export function writeCellSql(kind: CellKind, cell: RawBuilder<unknown>): RawBuilder<unknown> {
  switch (kind) {
    case 'text':
      return sql`case when ascii(${cell}) = any (${sql.lit(GUARDED)}) then nullif('''' || ${guardInside(cell)}, '''') else ${guardInside(cell)} end`;
    case 'money':
    case 'coins':
      return sql`case when scale(${cell}) < 2 then round(${cell}, 2) else ${cell} end`;
    case 'percent':
    case 'instant':
      return sql`nullif(${cell}, '')`;
    case 'boolean':
      return sql`${cell}::text`;
    case 'count':
      return cell;
  }
}

/** A text with the formulas inside it guarded; the pattern runs only where it can match. */
function guardInside(cell: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when strpos(${cell}, ';') + strpos(${cell}, chr(9)) > 0
    then regexp_replace(${cell}, ${sql.lit(INNER_FORMULA)}, '''', 'g') else ${cell} end`;
}

/** `INNER_FORMULA` of `lib/core/csv.ts` as Postgres writes it. */
const INNER_FORMULA = String.raw`(?<=.[;\t])(?=[=+@＝＋－＠-])`;

const [LF, CR, QUOTE] = [10, 13, 34];

/** COPY ends a row with a line feed, a file with CRLF; line feeds inside quotes are data. Remembers its position from piece to piece. */
class RowEnds {
  #isQuoted = false;

  write(piece: Buffer): Buffer {
    const ends: number[] = [];
    let quote = find(piece, QUOTE, 0);
    for (let feed = find(piece, LF, 0); feed < piece.length; feed = find(piece, LF, feed + 1)) {
      for (; quote < feed; quote = find(piece, QUOTE, quote + 1)) this.#isQuoted = !this.#isQuoted;
      if (!this.#isQuoted) ends.push(feed);
    }
    for (; quote < piece.length; quote = find(piece, QUOTE, quote + 1)) this.#isQuoted = !this.#isQuoted;
    const written = Buffer.allocUnsafe(piece.length + ends.length);
    let from = 0;
    for (const [before, end] of ends.entries()) {
      piece.copy(written, from + before, from, end);
      written[end + before] = CR;
      from = end;
    }
    piece.copy(written, from + ends.length, from);
    return written;
  }
}

/** Where the byte comes next; the length of the bytes when it doesn't. */
function find(bytes: Buffer, byte: number, from: number): number {
  const index = bytes.indexOf(byte, from);
  return index < 0 ? bytes.length : index;
}
