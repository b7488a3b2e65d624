import type pg from 'pg';
import { textInBytes } from '../text-in-bytes.ts';

/** A text and where it was. */
export type FoundText = readonly [where: string, text: string];

/** Every column of every table as text; bytes as they are, inflated where they are compressed. */
export async function readStoredTexts(database: pg.Client): Promise<FoundText[]> {
  const { rows: columns } = await database.query<{ table: string; column: string; type: string }>(
    `select c.table_name as table, c.column_name as column, coalesce(domain.data_type, c.data_type) as type
     from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
       left join information_schema.domains domain on domain.domain_schema = c.domain_schema and domain.domain_name = c.domain_name
     where t.table_type = 'BASE TABLE' and c.table_schema not in ('pg_catalog', 'information_schema')`,
  );
  if (columns.length < 300) throw new Error(`only ${columns.length} columns can be read`);
  const stored: FoundText[] = [];
  for (const { table, column, type } of columns) {
    const { rows } = await database.query<{ value: string | Buffer }>(
      `select distinct "${column}"${type === 'bytea' ? '' : '::text'} as value from "${table}" where "${column}" is not null`,
    );
    for (const { value } of rows) stored.push([`${table}.${column}`, typeof value === 'string' ? value : textInBytes(value)]);
  }
  return stored;
}

/** Where a pattern is, and what was found there. */
export function findTexts(texts: readonly FoundText[], wanted: RegExp): string[] {
  return texts.flatMap(([where, text]) => {
    const found = wanted.exec(text);
    return found === null ? [] : [`${where}: ${found[0]}`];
  });
}
