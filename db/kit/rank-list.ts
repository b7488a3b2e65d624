import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SheetColumn } from '#lib/core/csv.ts';
import { writeMoney } from '#lib/core/money.ts';
import { isOfPart, joinedSource, type List, type ListPart, listColumns, orderSql, resolve, summedColumns } from './list.ts';
import type { Db } from './open.ts';

/** What SQL knows of all rows of a list; an index counts from 0 in the order of the file. */
export interface RankedList {
  count: number;
  /** By the key of its column: the indexes of all rows in ascending order. The order of the file itself is not among them. */
  orders: Record<string, number[]>;
  /** By key: the indexes of the rows that a chip leaves, in the order of the file. */
  chips: Record<string, number[]>;
  /** By the key of a chip, and of all rows: the sum of each summed column by its key. */
  sums: Record<string, Record<string, string>>;
}

/** Finds in one statement the orders and chips of a part of a list with the sums of each chip, or the sums over all rows alone. */
export async function rankList<Context>(
  db: Db,
  list: List<Context, object>,
  context: Context,
  part: ListPart | 'sums',
): Promise<RankedList> {
  const isWanted = (each: { isBeside?: true }): boolean => isOfPart(each, part === 'beside' ? 'beside' : 'own');
  const sorted =
    part === 'sums'
      ? []
      : listColumns(list).filter((column) => column.sort !== undefined && column.key !== list.order.key && isWanted(column));
  const chips = part === 'sums' ? [] : list.chips.filter((chip) => part === 'beside' || isWanted(chip));
  const summed = summedColumns(list).filter((column) => part === 'beside' || isWanted(column));
  const keys = sorted.flatMap(({ sort = [] }, column) => sort.map((key, index) => sql`${key.sql}`.as(`key_${column}_${index}`)));
  const source = part === 'beside' ? joinedSource(db, list, context) : list.from(db, context);
  const ranked = source.select([
    sql<number>`row_number() over (order by ${orderSql(list)}) - 1`.as('row_index'),
    ...keys,
    ...chips.map(({ where }, index) => sql<boolean>`${resolve(where, context)}`.as(`chip_${index}`)),
    ...summed.map((column, index) => sql`${resolve(column.sql, context)}`.as(`sum_${index}`)),
  ]);
  const orders = sorted.map(({ key, sort = [] }, column) => {
    const by = sort.map((each, index) => sql`${sql.ref(`key_${column}_${index}`)} ${sql.raw(each.isReversed ? 'desc' : 'asc')}`);
    return sql`${sql.lit(key)}, json_agg(row_index order by ${sql.join(by)})`;
  });
  const leaves = (index: number): RawBuilder<SqlBool> => sql`${sql.ref(`chip_${index}`)}`;
  const sums = (where: RawBuilder<SqlBool>): RawBuilder<unknown> =>
    buildObject(summed.map(({ key, kind }, index) => sql`${sql.lit(key)}, ${sumWhere(kind, sql.ref(`sum_${index}`), where)}`));
  const { rows } = await sql<RankedRow>`
    select count(*) as count, ${buildObject(orders)} as orders,
      ${buildObject(chips.map(({ key }, index) => sql`${sql.lit(key)}, json_agg(row_index order by row_index) filter (where ${leaves(index)})`))} as chips,
      ${buildObject([sql`'all', ${sums(sql`true`)}`, ...chips.map(({ key }, index) => sql`${sql.lit(key)}, ${sums(leaves(index))}`)])} as sums
    from (${ranked}) as ranked`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`the list ${list.name} came without its ranks`);
  const kinds = new Map(summed.map(({ key, kind }) => [key, kind]));
  const written = (all: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(all).map(([key, sum]) => [key, kinds.get(key) === 'count' ? sum : writeMoney(sum)]));
  const nothing = row.count === 0;
  return {
    count: row.count,
    orders: nothing ? Object.fromEntries(Object.keys(row.orders).map((key) => [key, []])) : (row.orders as Record<string, number[]>),
    chips: Object.fromEntries(Object.entries(row.chips).map(([key, indexes]) => [key, indexes ?? []])),
    sums: Object.fromEntries(Object.entries(row.sums).map(([key, all]) => [key, written(all)])),
  };
}

// json_agg of no rows is NULL.
interface RankedRow {
  count: number;
  orders: Record<string, number[] | null>;
  chips: Record<string, number[] | null>;
  sums: Record<string, Record<string, string>>;
}

function sumWhere(kind: SheetColumn['kind'], value: RawBuilder<unknown>, where: RawBuilder<SqlBool>): RawBuilder<string> {
  return sql<string>`coalesce(sum(${value}) filter (where ${where}), ${sql.raw(kind === 'count' ? '0' : '0.00')})::text`;
}

function buildObject(pairs: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`json_build_object(${sql.join(pairs)})`;
}
