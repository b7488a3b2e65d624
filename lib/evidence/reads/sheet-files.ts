import { type Expression, sql } from 'kysely';
import { streamCsv } from '#db/kit/copy-csv.ts';
import { fileRows } from '#db/kit/list.ts';
import type { Db } from '#db/kit/open.ts';
import type { SheetColumn } from '#lib/core/csv.ts';
import type { GameRef } from '#lib/core/game.ts';
import { writeMoney } from '#lib/core/money.ts';
import type { Window } from '#lib/core/window.ts';
import type { SheetName } from '../rules/sheets.ts';
import { MONTH_SHEETS } from './month-sheets.ts';
import { type ChosenRows, snapshotSource } from './month-snapshot.ts';

export interface SheetOf {
  snapshotId: number;
  window: Window;
}

/** How many rows a file has, and the exact sum of each summed column by its key. */
export interface FileSums {
  rows: number;
  sums: Record<string, string>;
}

/**
 * The rows of a sheet as CSV bytes without a header, in the order of the file. `onSums` is called before the end, with sums over the same
 * state of the database; without it nothing is summed. Errors: as `streamCsv`.
 */
export function streamSheetFile(
  db: Db,
  game: GameRef,
  context: SheetOf,
  sheet: SheetName,
  { condition, onSums }: { condition?: ChosenRows['condition']; onSums?: (sums: FileSums) => void } = {},
): AsyncIterable<Buffer> {
  const { columns } = MONTH_SHEETS[sheet];
  const rows = fileRows(db, MONTH_SHEETS[sheet], snapshotSource(game, context), condition);
  const afterwards = async (tx: Db): Promise<void> => onSums?.(await sumSheet(tx, columns, rows.clearOrderBy()));
  return streamCsv(db, columns, rows, onSums ? afterwards : undefined);
}

/** Whether a sheet has more than so many rows; rows beyond the next one are not counted. */
export async function exceedsRows(
  db: Db,
  game: GameRef,
  context: SheetOf,
  sheet: SheetName,
  rows_max: number,
  condition?: ChosenRows['condition'],
): Promise<boolean> {
  const rows = fileRows(db, MONTH_SHEETS[sheet], snapshotSource(game, context), condition).clearOrderBy();
  const statement = sql<{ found: boolean }>`select exists (select from (${rows}) as sheet offset ${rows_max}) as found`;
  return (await statement.execute(db)).rows[0]?.found ?? false;
}

async function sumSheet(tx: Db, columns: readonly SheetColumn[], rows: Expression<unknown>): Promise<FileSums> {
  const summed = columns.filter((column) => column.isSummed);
  const sums = summed.map(({ key }) => sql`coalesce(sum(${sql.ref(`sheet.${key}`)}), 0)::text`);
  const { rows: found } = await sql<{ rows: number; sums: string[] }>`select array[${sql.join(sums)}] as sums, count(*) as rows
    from (${rows}) as sheet`.execute(tx);
  const [row] = found;
  if (!row) throw new Error('the database returned no sums');
  const written = summed.map(({ key, kind }, index) => [key, kind === 'count' ? row.sums[index] : writeMoney(row.sums[index] ?? '')]);
  return { rows: row.rows, sums: Object.fromEntries(written) };
}
