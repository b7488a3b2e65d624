import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../types.ts';

/** What an upsert sets: the values of the new row; of `retained` columns those of the stored row where the new one has none. */
export function newerValues<Table extends keyof Database & string>(
  table: Table,
  {
    columns,
    retained = [],
  }: { columns: readonly (keyof Database[Table] & string)[]; retained?: readonly (keyof Database[Table] & string)[] },
): Record<string, RawBuilder<never>> {
  return Object.fromEntries([
    ...columns.map((column) => [column, sql<never>`${sql.ref(`excluded.${column}`)}`] as const),
    ...retained.map(
      (column) => [column, sql<never>`coalesce(${sql.ref(`excluded.${column}`)}, ${sql.ref(`${table}.${column}`)})`] as const,
    ),
  ]);
}
