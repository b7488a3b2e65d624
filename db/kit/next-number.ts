import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../types.ts';
import type { Db } from './open.ts';

/** The number after the highest of these rows, 1 when there are none. The caller holds what makes writers wait for each other, or lets the key refuse the second. */
export async function nextNumber<Table extends keyof Database & string>(
  tx: Db,
  table: Table,
  column: keyof Database[Table] & string,
  rows: RawBuilder<boolean>,
): Promise<number> {
  const found = await sql<{
    next: number;
  }>`select coalesce(max(${sql.ref(column)}), 0) + 1 as next from ${sql.table(table)} where ${rows}`.execute(tx);
  return found.rows[0]?.next ?? 1;
}
