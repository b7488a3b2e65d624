import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { sql } from 'kysely';
import { type Db, inTransaction } from '#db/kit/open.ts';
import { sha256Of } from '#lib/core/canonical-digest.ts';
import type { Window } from '#lib/core/window.ts';
import type { SheetName } from '../rules/sheets.ts';
import { holdErasures } from './hold-erasures.ts';

export interface NewRendition {
  sheet: SheetName;
  rowCount: number;
  sums: Record<string, string>;
  /** Gzip members in order, and what their uncompressed bytes are. */
  file: { members: Buffer[]; sha256: Buffer; byteCount: number };
  /** The JSON of its head, and its columns and orders as gzip JSON; null: too many rows for a table in memory. */
  table: { head: string; columns: NewPart; orders: NewPart } | null;
}

/** A gzip body, and the digest of its uncompressed bytes. */
export interface NewPart {
  body: Buffer;
  sha256: Buffer;
}

const compress = promisify(gzip);

/** A part of a table as gzip JSON. */
export async function packPart(part: object): Promise<NewPart> {
  const body = Buffer.from(JSON.stringify(part));
  return { body: await compress(body), sha256: sha256Of(body) };
}

/**
 * Stores the rendered sheets of a snapshot and replaces those of other rules, in one transaction. False when a person was erased since there were
 * `erasureCount` erasures: the sheets may name them, and have to be rendered again.
 */
export async function insertRendition(
  db: Db,
  gameId: number,
  { snapshotId, erasureCount }: { snapshotId: number; erasureCount: number },
  version: number,
  sheets: NewRendition[],
): Promise<boolean> {
  return await inTransaction(db, async (tx) => {
    if ((await holdErasures(tx, gameId)).size !== erasureCount) return false;
    // Two workers may have rendered the same snapshot; the second one replaces equal bytes.
    await sql`select pg_advisory_xact_lock(${gameId}, hashtext(${`rendition ${snapshotId}`}))`.execute(tx);
    await sql`delete from rendition where game_id = ${gameId} and snapshot_id = ${snapshotId}`.execute(tx);
    for (const { sheet, rowCount, sums, file, table } of sheets) {
      await sql`insert into rendition
          (game_id, snapshot_id, sheet, version, row_count, sums, file_sha256, file_byte_count, file_part_count, table_sha256, orders_sha256, head)
        values (${gameId}, ${snapshotId}, ${sheet}, ${version}, ${rowCount}, ${JSON.stringify(sums)}, ${file.sha256}, ${file.byteCount},
          ${file.members.length}, ${table?.columns.sha256 ?? null}, ${table?.orders.sha256 ?? null}, ${table?.head ?? null})`.execute(tx);
      const parts: [string, Buffer[]][] = [
        ['file', file.members],
        ['table', table === null ? [] : [table.columns.body]],
        ['orders', table === null ? [] : [table.orders.body]],
      ];
      for (const [kind, bodies] of parts) {
        for (const [index, body] of bodies.entries()) {
          await sql`insert into rendition_part (game_id, snapshot_id, sheet, kind, part_no, body) values (${gameId}, ${snapshotId}, ${sheet}, ${kind}, ${index + 1}, ${body})`.execute(
            tx,
          );
        }
      }
    }
    return true;
  });
}

export interface NewComparison {
  window: Window;
  snapshotId: number;
  head: string;
  body: Buffer;
  sha256: Buffer;
}

/** Stores comparisons and replaces the earlier ones of their months. Runs in the caller's transaction. */
export async function upsertComparisons(trx: Db, gameId: number, version: number, comparisons: NewComparison[]): Promise<void> {
  for (const { window, snapshotId, head, body, sha256 } of comparisons) {
    await trx
      .insertInto('month_comparison')
      .values({ game_id: gameId, window_start: window.start, window_end: window.end, snapshot_id: snapshotId, version, head, body, sha256 })
      .onConflict((conflict) =>
        conflict.columns(['game_id', 'window_start', 'window_end']).doUpdateSet({ snapshot_id: snapshotId, version, head, body, sha256 }),
      )
      .execute();
  }
}

/** Holds back every other transaction that makes a snapshot of the game current, until this one ends. */
export async function lockCurrentSnapshots(trx: Db, gameId: number): Promise<void> {
  await sql`select 1 from game where game_id = ${gameId} for no key update`.execute(trx);
}
