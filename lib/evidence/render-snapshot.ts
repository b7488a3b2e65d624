import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { listReversedMonths } from '#db/evidence/reads/recipient-rows.ts';
import { type DueRendition, findDueRendition, listRecipientNames } from '#db/evidence/reads/renditions.ts';
import { streamTable } from '#db/evidence/reads/sheet-rows.ts';
import { insertRendition, type NewRendition } from '#db/evidence/writes/renditions.ts';
import type { Db } from '#db/kit/open.ts';
import { writeHeader, writeRow } from '../core/csv.ts';
import type { Game } from '../core/game.ts';
import { isEmailName } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { compareMonths } from './compare-months.ts';
import { ColumnSums, SHEET_COLUMNS, SHEETS, type SheetName } from './rules/sheets.ts';
import { HEAD_ROWS, RENDITION_VERSION, SHEET_FILTERS, TABLE_COLUMNS, TABLE_ROWS_MAX, type TableColumns } from './rules/table-answer.ts';

const compress = promisify(gzip);

/** Uncompressed bytes of one gzip member: enough to compress well, small enough for memory. */
const MEMBER_BYTES = 1 << 20;

/**
 * Renders what is due in a game, the newest month first: the sheets of a complete snapshot, and how its recipients compare with other
 * months. Returns how many months were rendered. Two workers may render the same snapshot: the bytes are the same.
 * Errors: a snapshot that can't be rendered doesn't delay others; the first such error is thrown at the end.
 */
export async function renderDue(
  game: Pick<OpenGame, keyof Game | 'db' | 'pool'>,
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

async function renderSnapshot(game: Pick<OpenGame, keyof Game | 'db' | 'pool'>, due: DueRendition): Promise<boolean> {
  const sheets: NewRendition[] = [];
  for (const sheet of SHEETS) sheets.push(await renderSheet(game.db, game, due, sheet));
  return await insertRendition(game.pool, game.gameId, due, RENDITION_VERSION, sheets);
}

/** Renders one sheet of a snapshot as gzip members of its CSV and, up to 50,000 rows, as the answer its table is made of. Writes nothing. */
export async function renderSheet(
  db: Db,
  game: Pick<Game, 'gameId' | 'slug' | 'environment' | 'timeZone'>,
  of: Pick<DueRendition, 'snapshotId' | 'window'>,
  sheet: SheetName,
): Promise<NewRendition> {
  const columns = SHEET_COLUMNS[sheet];
  const file = new FileWriter();
  const sums = new ColumnSums(columns);
  const table = new TableWriter(sheet);
  const reversedMonths =
    sheet === 'recipients'
      ? await listReversedMonths(db, { ...game, snapshotId: of.snapshotId, windowStart: of.window.start }, game.timeZone)
      : new Map<number, string[]>();
  await file.write(writeHeader(columns));
  for await (const batch of streamTable(db, game, of, sheet)) {
    await file.write(batch.map((row) => writeRow(columns, row)).join(''));
    sums.add(batch);
    for (const row of batch) {
      // The player ID is a bigint that the connection returns as a safe integer.
      if (sheet === 'recipients') row['reversedMonths'] = reversedMonths.get(row['recipient_player_id'] as number) ?? [];
      table.add(row);
    }
  }
  if (sheet !== 'recipients') table.nameRecipients(await listRecipientNames(db, game.gameId, of.snapshotId));
  return { sheet, rowCount: table.count, sums: sums.read(), file: await file.end(), table: await table.end() };
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
  count = 0;
  readonly #sheet: SheetName;
  readonly #columns: Record<string, unknown[]>;
  readonly #counts: Record<string, number>;
  #names: Record<string, string | null> = {};

  constructor(sheet: SheetName) {
    this.#sheet = sheet;
    this.#columns = Object.fromEntries(TABLE_COLUMNS[sheet].map((name) => [name, []]));
    this.#counts = Object.fromEntries(Object.keys(SHEET_FILTERS[sheet]).map((filter) => [filter, 0]));
  }

  add(row: Record<string, unknown>): void {
    this.count += 1;
    for (const [filter, holds] of Object.entries(SHEET_FILTERS[this.#sheet])) {
      if (holds(row)) this.#counts[filter] = (this.#counts[filter] ?? 0) + 1;
    }
    if (this.count > TABLE_ROWS_MAX) return;
    const isPrivate = isEmailName(typeof row['recipient_name'] === 'string' ? row['recipient_name'] : null);
    for (const [name, values] of Object.entries(this.#columns))
      values.push(name === 'recipient_name' && isPrivate ? null : (row[name] ?? null));
  }

  nameRecipients(names: { recipient_player_id: number; player_name: string | null }[]): void {
    this.#names = Object.fromEntries(names.map((row) => [row.recipient_player_id, isEmailName(row.player_name) ? null : row.player_name]));
  }

  async end(): Promise<NewRendition['table']> {
    if (this.count > TABLE_ROWS_MAX) return null;
    const answer: TableColumns = { columns: this.#columns, names: this.#names };
    const body = Buffer.from(JSON.stringify(answer));
    return { body: await compress(body), sha256: createHash('sha256').update(body).digest(), head: JSON.stringify(this.#head()) };
  }

  #head(): TableColumns & { counts: Record<string, number> } {
    const columns = Object.fromEntries(Object.entries(this.#columns).map(([name, values]) => [name, values.slice(0, HEAD_ROWS)]));
    const shown = new Set((columns['recipient_player_id'] ?? []).map(String));
    const names = Object.fromEntries(Object.entries(this.#names).filter(([id]) => shown.has(id)));
    return { columns, names, counts: { all: this.count, ...this.#counts } };
  }
}
