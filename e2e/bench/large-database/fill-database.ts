import { readFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { ensureDatabase } from '#db/kit/administer.ts';
import { migrateDatabase } from '#db/kit/migrate.ts';
import { openWithPool } from '#e2e/support/db/open-with-pool.ts';

/** The size of a database: months from November 2023 on, slices per month and lines per slice. */
export interface DatabaseSize {
  months: number;
  slices_a_month: number;
  per_slice: number;
  snapshots_a_month: number;
  /** Recipients with figures in each month; the lines belong to 2,000. */
  recipients: number;
  refunds: number;
  /** Every so many renewals one is refunded in full; 33 unless given. */
  reversal_every?: number;
}

const PARTS = ['months', 'lines', 'reversals', 'support-reads', 'refunds'] as const;

/** Creates a database and fills it as pulls, support's reads and refunds would. A filled database stays as it is. */
export async function fillDatabase(
  server: { url: string; databaseUrl(name: string): string },
  name: string,
  size: DatabaseSize,
  print: (line: string) => void,
): Promise<string> {
  await ensureDatabase(server.url, name);
  const url = server.databaseUrl(name);
  await migrateDatabase(url);
  const open = openWithPool(url, { poolSize: 1 });
  const client = await open.pool.connect();
  try {
    const { rows } = await client.query<{ is_filled: boolean }>(`select to_regclass('bench.filled') is not null as is_filled`);
    if (rows[0]?.is_filled) return url;
    // Foreign keys aren't checked meanwhile; the rows are consistent by construction.
    await client.query('set session_replication_role = replica');
    await client.query(textOf('functions'));
    await client.query(
      'create table bench.size (months int, slices int, slices_a_month int, per_slice int, subscriptions int, snapshots_a_month int, recipients int, refunds int, reversal_every int)',
    );
    const { months, slices_a_month, per_slice, snapshots_a_month, recipients, refunds, reversal_every = 33 } = size;
    const slices = months * slices_a_month;
    const subscriptions = Math.round((slices * per_slice) / 1_250) * 100;
    await client.query('insert into bench.size values ($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
      months,
      slices,
      slices_a_month,
      per_slice,
      subscriptions,
      snapshots_a_month,
      recipients,
      refunds,
      reversal_every,
    ]);
    for (const part of PARTS) {
      const startedAt = performance.now();
      await (part === 'lines' ? fillLines(client, slices) : client.query(textOf(part)));
      print(`${name}: ${part} ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
    }
    // Triggers are off meanwhile, so what they keep is made at the end.
    await client.query(
      'select refresh_current_window(game_id, window_start, window_end) from (select distinct game_id, window_start, window_end from snapshot) known',
    );
    await client.query('vacuum (analyze)');
    await client.query('create table bench.filled ()');
  } finally {
    client.release(true);
    await open.close();
  }
  return url;
}

/** Inserts the lines without indexes and creates these at the end. */
async function fillLines(client: pg.ClientBase, slices: number): Promise<void> {
  const { rows: indexes } = await client.query<{ indexname: string; indexdef: string }>(
    `select indexname, indexdef from pg_indexes where tablename = 'renewal_line' and indexname not like '%_pkey'`,
  );
  for (const { indexname } of indexes) await client.query(`drop index ${indexname}`);
  const insert = textOf('lines');
  for (let from = 1; from <= slices; from += 20) await client.query(insert, [from, Math.min(from + 19, slices)]);
  for (const { indexdef } of indexes) await client.query(indexdef);
}

function textOf(part: string): string {
  return readFileSync(path.join(import.meta.dirname, `${part}.sql`), 'utf8');
}
