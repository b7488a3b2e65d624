import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { ReadComplete } from '#db/kit/replica.ts';
import { parseEnum } from '#lib/core/strings.ts';
import type { Window } from '#lib/core/window.ts';
import { SHEETS, type SheetName } from '../rules/sheets.ts';

/** A complete snapshot whose sheets are not rendered yet, or were by other rules. */
export interface DueRendition {
  snapshotId: number;
  window: Window;
  /** How many are due, this one included. */
  left: number;
  /** Recipients of the game who were erased by now. */
  erasureCount: number;
}

/** Finds the snapshot to render next, none of `except`: the current one of the newest window that is due; null when none is. */
export async function findDueRendition(db: Db, gameId: number, version: number, except: number[] = []): Promise<DueRendition | null> {
  const { rows } = await sql<{ snapshot_id: number; window_start: string; window_end: string; due: number; erasures: number }>`
    select snapshot_id, window_start, window_end, count(*) over () as due, (select count(*) from recipient_erasure e where e.game_id = ${gameId}) as erasures
    from current_window c
    where game_id = ${gameId} and status = 'complete' and snapshot_id <> all (${except}::bigint[]) and (
      select count(*) from rendition r where r.game_id = ${gameId} and r.snapshot_id = c.snapshot_id and r.version = ${version}
    ) < 3
    order by window_start desc limit 1`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const window = { start: row.window_start, end: row.window_end };
  return { snapshotId: row.snapshot_id, window, left: row.due, erasureCount: row.erasures };
}

/** What is stored about a rendered sheet beside its bytes. */
export interface RenditionFacts {
  rowCount: number;
  sums: Record<string, string>;
  fileSha256: Buffer;
  fileByteCount: number;
  filePartCount: number;
  renderedAt: string;
  /** null: the sheet has too many rows for a table in memory. */
  tableSha256: Buffer | null;
  /** As `tableSha256`. */
  ordersSha256: Buffer | null;
}

/** Finds the rendition of a sheet by the rules of this version; null when there is none. */
export async function findRendition(
  db: Db,
  gameId: number,
  snapshotId: number,
  sheet: SheetName,
  version: number,
): Promise<RenditionFacts | null> {
  const row = await db
    .selectFrom('rendition')
    .select(FACTS)
    .where('game_id', '=', gameId)
    .where('snapshot_id', '=', snapshotId)
    .where('sheet', '=', sheet)
    .where('version', '=', version)
    .executeTakeFirst();
  return row ? { ...row, sums: parseSums(row.sums) } : null;
}

/** A rendition with the snapshot and window it is of. */
export interface StoredRendition extends RenditionFacts {
  sheet: SheetName;
  snapshotId: number;
  window: Window;
  head: unknown;
}

/** Lists the renditions of a game by the rules of this version, by snapshot and sheet. */
export async function listRenditions(db: Db, gameId: number, version: number): Promise<StoredRendition[]> {
  const rows = await db
    .selectFrom('rendition')
    .innerJoin('snapshot', (join) => join.on('snapshot.game_id', '=', gameId).onRef('snapshot.snapshot_id', '=', 'rendition.snapshot_id'))
    .select(FACTS)
    .select([
      'rendition.sheet',
      'rendition.snapshot_id as snapshotId',
      'rendition.head',
      'snapshot.window_start as start',
      'snapshot.window_end as end',
    ])
    .where('rendition.game_id', '=', gameId)
    .where('rendition.version', '=', version)
    .orderBy('rendition.snapshot_id')
    .orderBy('rendition.sheet')
    .execute();
  return rows.map(({ start, end, sheet, sums, ...row }) => ({
    ...row,
    sheet: parseEnum(SHEETS, sheet),
    sums: parseSums(sums),
    window: { start, end },
  }));
}

const FACTS = [
  'rendition.row_count as rowCount',
  'rendition.sums',
  'rendition.file_sha256 as fileSha256',
  'rendition.file_byte_count as fileByteCount',
  'rendition.file_part_count as filePartCount',
  'rendition.rendered_at as renderedAt',
  'rendition.table_sha256 as tableSha256',
  'rendition.orders_sha256 as ordersSha256',
] as const;

/**
 * The gzip members of a rendered file in order, a few in memory at a time; joined they are a valid gzip file.
 * Errors: throws when a part is missing, or was made again meanwhile: a shorter or mixed file would be a valid one.
 */
export async function* streamRenderedFile(
  read: ReadComplete,
  gameId: number,
  snapshotId: number,
  sheet: SheetName,
  { filePartCount, renderedAt }: Pick<RenditionFacts, 'filePartCount' | 'renderedAt'>,
): AsyncGenerator<Buffer> {
  for (let from = 1; from <= filePartCount; from += PARTS_AT_ONCE) {
    const count = Math.min(PARTS_AT_ONCE, filePartCount - from + 1);
    const parts = await read(async (db) => {
      const found = await partsOf(db, gameId, snapshotId, sheet, 'file')
        .where('rendition_part.part_no', '>=', from)
        .where('rendition_part.part_no', '<', from + count)
        .where('rendition.rendered_at', '=', renderedAt)
        .orderBy('rendition_part.part_no')
        .execute();
      return found.length === count ? found : null;
    });
    if (parts === null)
      throw new Error(`a part from ${from} on of the rendered ${sheet} of snapshot ${snapshotId} is missing or was made again`);
    for (const { body } of parts) yield body;
  }
}

/** A few megabytes of a file in memory at a time, in one statement. */
const PARTS_AT_ONCE = 8;

/** What a table is made of: its columns, or its orders. */
export type TablePart = 'table' | 'orders';

/** Finds a part of a table as gzip JSON, by the rules of this version; null when there is none. */
export async function findTablePart(
  db: Db,
  key: { gameId: number; snapshotId: number; sheet: SheetName },
  part: TablePart,
  version: number,
): Promise<{ sha256: Buffer; body: Buffer } | null> {
  const row = await partsOf(db, key.gameId, key.snapshotId, key.sheet, part)
    .where('rendition.version', '=', version)
    .select(part === 'table' ? 'rendition.table_sha256 as sha256' : 'rendition.orders_sha256 as sha256')
    .executeTakeFirst();
  return row?.sha256 ? { sha256: row.sha256, body: row.body } : null;
}

function partsOf(db: Db, gameId: number, snapshotId: number, sheet: SheetName, kind: 'file' | TablePart) {
  return db
    .selectFrom('rendition_part')
    .innerJoin('rendition', (join) =>
      join
        .on('rendition.game_id', '=', gameId)
        .onRef('rendition.snapshot_id', '=', 'rendition_part.snapshot_id')
        .onRef('rendition.sheet', '=', 'rendition_part.sheet'),
    )
    .select('rendition_part.body')
    .where('rendition_part.game_id', '=', gameId)
    .where('rendition_part.snapshot_id', '=', snapshotId)
    .where('rendition_part.sheet', '=', sheet)
    .where('rendition_part.kind', '=', kind);
}

/** Finds the digest of the comparison of a snapshot's recipients with other months, and its gzip body; null when there is none. */
export async function findComparison(
  db: Db,
  gameId: number,
  snapshotId: number,
  version: number,
): Promise<{ sha256: Buffer; body: Buffer } | null> {
  const row = await db
    .selectFrom('month_comparison')
    .select(['sha256', 'body'])
    .where('game_id', '=', gameId)
    .where('snapshot_id', '=', snapshotId)
    .where('version', '=', version)
    .executeTakeFirst();
  return row ?? null;
}

/** Sums are written by one function as decimal text by column; anything else is a bug. */
export function parseSums(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null || Object.values(value).some((sum) => typeof sum !== 'string'))
    throw new Error(`stored sums are no decimal texts: ${JSON.stringify(value)}`);
  return value as Record<string, string>;
}

/** A complete month as comparisons need it. */
export interface CompleteWindow extends Window {
  snapshotId: number;
}

/** Lists the windows of a game whose current snapshot is complete, oldest first. */
export async function listCompleteWindows(db: Db, gameId: number): Promise<CompleteWindow[]> {
  return await db
    .selectFrom('current_window')
    .select(['snapshot_id as snapshotId', 'window_start as start', 'window_end as end'])
    .where('game_id', '=', gameId)
    .where('status', '=', 'complete')
    .orderBy('window_start')
    .orderBy('window_end')
    .execute();
}

/** Finds the comparisons stored by the rules of this version: the digest of each by its snapshot. */
export async function listComparedSnapshots(db: Db, gameId: number, version: number): Promise<Map<number, Buffer>> {
  const rows = await db
    .selectFrom('month_comparison')
    .select(['snapshot_id', 'sha256'])
    .where('game_id', '=', gameId)
    .where('version', '=', version)
    .execute();
  return new Map(rows.map((row) => [row.snapshot_id, row.sha256]));
}
