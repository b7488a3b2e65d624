import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { heldKeys, streamList } from '#db/kit/list.ts';
import { type Db, inTransaction } from '#db/kit/open.ts';
import { type RankedList, rankList } from '#db/kit/rank-list.ts';
import { writeHeader, writeRow } from '../core/csv.ts';
import type { Game, GameRef } from '../core/game.ts';
import { monthOfWindow } from '../core/month.ts';
import { isEmailName } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { MONTH_SHEETS } from './reads/month-sheets.ts';
import { monthSnapshotOf, type SheetSource, snapshotSource } from './reads/month-snapshot.ts';
import { RECIPIENTS } from './reads/recipients-sheet.ts';
import {
  type CompleteWindow,
  type DueRendition,
  findDueRendition,
  listComparedSnapshots,
  listCompleteWindows,
} from './reads/renditions.ts';
import {
  type Comparison,
  type ComparisonHead,
  HEAD_ROWS,
  RENDITION_VERSION,
  SHEETS,
  type SheetName,
  TABLE_ROWS_MAX,
  type TableColumns,
  type TableOrders,
} from './rules/sheets.ts';
import {
  insertRendition,
  lockCurrentSnapshots,
  type NewComparison,
  type NewRendition,
  packPart,
  upsertComparisons,
} from './writes/renditions.ts';

const compress = promisify(gzip);

/** Uncompressed bytes of one gzip member: enough to compress well, small enough for memory. */
const MEMBER_BYTES = 1 << 20;

/**
 * Renders what is due in a game, the newest month first: the sheets of a complete snapshot, and how its recipients compare with other
 * months. Returns how many months were rendered. Two workers may render the same snapshot: the bytes are the same.
 * Errors: a snapshot that can't be rendered doesn't delay others; the first such error is thrown at the end.
 */
export async function renderDue(
  game: Pick<OpenGame, keyof Game | 'db'>,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (rendered: number, left: number) => void } = {},
): Promise<number> {
  const failed = new Map<number, unknown>();
  let rendered = 0;
  while (!signal?.aborted) {
    const due = await findDueRendition(game.db, game.gameId, RENDITION_VERSION, [...failed.keys()]);
    if (due === null) break;
    try {
      // A person was erased meanwhile: the snapshot is still due.
      if (!(await renderSnapshot(game, due))) continue;
      rendered += 1;
      onProgress?.(rendered, due.left - 1);
    } catch (error) {
      failed.set(due.snapshotId, error);
    }
  }
  await compareMonths(game);
  for (const error of failed.values()) throw error;
  return rendered;
}

async function renderSnapshot(game: Pick<OpenGame, keyof Game | 'db'>, due: DueRendition): Promise<boolean> {
  const sheets: NewRendition[] = [];
  for (const sheet of SHEETS) sheets.push(await renderSheet(game.db, game, due, sheet));
  return await insertRendition(game.db, game.gameId, due, RENDITION_VERSION, sheets);
}

/**
 * Renders one sheet of a snapshot as gzip members of its CSV and, up to 50,000 rows, as what its table is made of: its columns, and the
 * orders, chips and sums that SQL finds. Writes nothing.
 */
export async function renderSheet(
  db: Db,
  game: GameRef,
  target: Pick<DueRendition, 'snapshotId' | 'window'>,
  sheet: SheetName,
): Promise<NewRendition> {
  const list = MONTH_SHEETS[sheet];
  const source = snapshotSource(game, target);
  const file = new FileWriter();
  const table = new TableWriter(heldKeys(list, 'own'));
  await file.write(writeHeader(list.columns));
  for await (const batch of inBatches(streamList(db, list, source, 'own'))) {
    await file.write(batch.map((row) => writeRow(list.columns, row)).join(''));
    for (const row of batch) table.add(row);
  }
  const ranked = await rankList(db, list, source, table.isTooLong ? 'sums' : 'own');
  return {
    sheet,
    rowCount: ranked.count,
    sums: ranked.sums['all'] ?? {},
    file: await file.end(),
    table: table.isTooLong ? null : await table.end(ranked),
  };
}

/** Rows written at a time. */
const BATCH_ROWS = 1_000;

async function* inBatches(rows: AsyncIterable<Record<string, unknown>>): AsyncGenerator<Record<string, unknown>[]> {
  let batch: Record<string, unknown>[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length === BATCH_ROWS) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** Writes a CSV as gzip members of about a megabyte each, and its SHA-256. */
class FileWriter {
  readonly #hash = createHash('sha256');
  readonly #members: Buffer[] = [];
  #held: string[] = [];
  #heldBytes = 0;
  #bytes = 0;

  async write(text: string): Promise<void> {
    this.#hash.update(text);
    const bytes = Buffer.byteLength(text);
    this.#bytes += bytes;
    this.#held.push(text);
    this.#heldBytes += bytes;
    if (this.#heldBytes >= MEMBER_BYTES) await this.#close();
  }

  async end(): Promise<NewRendition['file']> {
    if (this.#held.length > 0) await this.#close();
    return { members: this.#members, sha256: this.#hash.digest(), byteCount: this.#bytes };
  }

  async #close(): Promise<void> {
    this.#members.push(await compress(this.#held.join('')));
    this.#held = [];
    this.#heldBytes = 0;
  }
}

/** Collects the rows of a table by column, until there are more than a browser may hold. */
class TableWriter {
  #count = 0;
  readonly #columns: Record<string, unknown[]>;
  readonly #names: Record<string, string | null> = {};

  constructor(keys: string[]) {
    this.#columns = Object.fromEntries(keys.filter((key) => key !== 'recipient_name').map((key) => [key, []]));
  }

  get isTooLong(): boolean {
    return this.#count > TABLE_ROWS_MAX;
  }

  add(row: Record<string, unknown>): void {
    this.#count += 1;
    if (this.isTooLong) return;
    for (const [key, values] of Object.entries(this.#columns)) values.push(row[key] ?? null);
    // A name that is an email comes with the addresses, by the role of who reads.
    const name = typeof row['recipient_name'] === 'string' ? row['recipient_name'] : null;
    this.#names[String(row['recipient_player_id'])] = isEmailName(name) ? null : name;
  }

  async end({ orders, chips, sums }: RankedList): Promise<NewRendition['table']> {
    const counts = Object.fromEntries(Object.entries(chips).map(([chip, rows]) => [chip, rows.length]));
    return {
      head: JSON.stringify({ ...this.#head(), counts: { all: this.#count, ...counts } }),
      columns: await packPart({ columns: this.#columns, names: this.#names } satisfies TableColumns),
      orders: await packPart({ orders, chips, sums } satisfies TableOrders),
    };
  }

  #head(): TableColumns {
    const columns = Object.fromEntries(Object.entries(this.#columns).map(([key, values]) => [key, values.slice(0, HEAD_ROWS)]));
    const shown = new Set((columns['recipient_player_id'] ?? []).map(String));
    return { columns, names: Object.fromEntries(Object.entries(this.#names).filter(([id]) => shown.has(id))) };
  }
}

/** Times a comparison is made again because a snapshot became current meanwhile; the next job continues. */
const TRIES = 3;

/**
 * Compares the recipients of every complete month that is not compared yet with the months before it, and stores the result. It is made
 * without a lock, and stored only while the snapshots it was made from are still current.
 */
async function compareMonths({ db, ...game }: GameRef & { db: Db }): Promise<void> {
  const { gameId } = game;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const windows = await listCompleteWindows(db, gameId);
    const compared = await listComparedSnapshots(db, gameId, RENDITION_VERSION);
    const due = await makeComparisons(db, game, windows, (snapshotId) => !compared.has(snapshotId));
    if (due.length === 0) return;
    const isStored = await inTransaction(db, async (trx) => {
      await lockCurrentSnapshots(trx, gameId);
      const now = await listCompleteWindows(trx, gameId);
      if (now.map((window) => window.snapshotId).join() !== windows.map((window) => window.snapshotId).join()) return false;
      await upsertComparisons(trx, gameId, RENDITION_VERSION, due);
      return true;
    });
    if (isStored) return;
  }
}

/** Makes the comparisons of the complete months among these windows that are wanted. Writes nothing. */
export async function makeComparisons(
  db: Db,
  game: GameRef,
  windows: CompleteWindow[],
  isWanted: (snapshotId: number) => boolean,
): Promise<NewComparison[]> {
  const current = windows.map(({ snapshotId, start, end }) => ({
    snapshot_id: snapshotId,
    window_start: start,
    window_end: end,
    status: 'complete',
    covered_until: end,
  }));
  const made: NewComparison[] = [];
  for (const { snapshotId, start, end } of windows) {
    const month = monthOfWindow({ start, end }, game.timeZone);
    const found = month === null || !isWanted(snapshotId) ? null : monthSnapshotOf(game, month, current);
    if (found !== null)
      made.push({ window: { start, end }, snapshotId, ...(await compareMonth(db, { ...found, canSeeEmails: false, recipient: null })) });
  }
  return made;
}

/** What of a month's recipients changes with other months; without rows where a browser may not hold them. */
async function compareMonth(db: Db, source: SheetSource): Promise<Pick<NewComparison, 'head' | 'body' | 'sha256'>> {
  const { count, orders, chips, sums } = await rankList(db, RECIPIENTS, source, 'beside');
  const columns: Record<string, unknown[]> = Object.fromEntries(heldKeys(RECIPIENTS, 'beside').map((key) => [key, []]));
  const isTooLong = count > TABLE_ROWS_MAX;
  if (!isTooLong) {
    for await (const row of streamList(db, RECIPIENTS, source, 'beside'))
      for (const [key, values] of Object.entries(columns)) values.push(row[key] ?? null);
  }
  const head: ComparisonHead = {
    columns: Object.fromEntries(Object.entries(columns).map(([key, values]) => [key, values.slice(0, HEAD_ROWS)])),
    months: source.recent.map(({ month }) => month),
    hasPrevious: source.previousSnapshotId !== null,
    counts: Object.fromEntries(Object.entries(chips).map(([chip, rows]) => [chip, rows.length])),
    sums: sums['all'] ?? {},
  };
  const all: Comparison = isTooLong ? { columns: {}, orders: {}, chips: {}, sums: {} } : { columns, orders, chips, sums };
  return { head: JSON.stringify(head), ...(await packPart(all)) };
}
