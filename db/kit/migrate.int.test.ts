import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, inject, test } from 'vitest';
import { MIGRATIONS_FOLDER, migrateDatabase } from './migrate.ts';
import { openDb } from './open.ts';
import { listPendingMigrations } from './pending-migrations.ts';
import { describeSchema } from './write-schema.ts';

describe('migrations', () => {
  test('run by ten processes at once, and once more, produce one schema', async () => {
    const [alone, together] = [await emptyDatabase(), await emptyDatabase()];
    await migrateDatabase(alone);
    await Promise.all(Array.from({ length: 10 }, () => migrateDatabase(together)));
    await migrateDatabase(together);
    const [one, ten] = await Promise.all([schemaOf(alone), schemaOf(together)]);
    expect(ten).toBe(one);
    expect(one).toContain('create table renewal_line');
  });

  test('are all pending before they run, and none after', async () => {
    const url = await emptyDatabase();
    const { db, close } = openDb(url, { poolSize: 1 });
    expect(await listPendingMigrations(db, MIGRATIONS_FOLDER)).toContain('0001_evidence');
    await migrateDatabase(url);
    expect(await listPendingMigrations(db, MIGRATIONS_FOLDER)).toEqual([]);
    await close();
  });

  test('name the one that fails and leave no change behind', async () => {
    const url = await emptyDatabase();
    await query(url, 'create table game (in_the_way int)');
    await expect(migrateDatabase(url)).rejects.toThrow(/^migration 0001_evidence failed: .*already exists/);
    expect(await query(url, `select count(*)::int as count from pg_type where typname = 'usd'`)).toEqual([{ count: 0 }]);
  });

  test('keep existing rows', async () => {
    const url = await emptyDatabase();
    await migrateDatabase(url);
    await query(url, `insert into game (slug, environment, name, time_zone) values ('aurora', 'sandbox', 'Aurora', 'UTC')`);
    await migrateDatabase(url);
    expect(await query(url, 'select slug from game')).toEqual([{ slug: 'aurora' }]);
  });

  test('keep reports that support read as readings, without figures nobody took from them', async () => {
    const url = await emptyDatabase();
    const names = readdirSync(MIGRATIONS_FOLDER).filter((name) => name.endsWith('.sql'));
    const run = async (name: string): Promise<unknown> => query(url, readFileSync(path.join(MIGRATIONS_FOLDER, name), 'utf8'));
    for (const name of names.filter((each) => each < '0019').toSorted()) await run(name);
    await query(
      url,
      `insert into game (slug, environment, name, time_zone) values ('aurora', 'sandbox', 'Aurora', 'UTC');
       insert into detail_read (game_id, kind, subject, read_at, body, sha256)
       select 1, kind, subject, '2026-10-02T03:04:05Z', 'x', sha256('x')
       from (values ('period', '7'), ('cycles', 'SUB_1 0'), ('balances', '9')) as read (kind, subject)`,
    );
    for (const name of names.filter((each) => each >= '0019').toSorted()) await run(name);
    expect(
      await query(url, `select kind, subject, read_no, read_at::text, body::text, has_figures from report_read order by kind`),
    ).toEqual([
      { kind: 'cycles', subject: 'SUB_1 0', read_no: 1, read_at: expect.any(String) as string, body: '\\x78', has_figures: false },
      { kind: 'period', subject: '7', read_no: 1, read_at: expect.any(String) as string, body: '\\x78', has_figures: false },
    ]);
    expect(await query(url, 'select kind, subject from detail_read')).toEqual([{ kind: 'balances', subject: '9' }]);
  });
});

async function emptyDatabase(): Promise<string> {
  const name = `empty_${randomBytes(8).toString('hex')}`;
  await query(inject('serverUrl'), `create database ${name}`);
  const url = new URL(inject('serverUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

async function schemaOf(url: string): Promise<string> {
  const { pool } = openDb(url, { poolSize: 1 });
  const schema = await describeSchema(pool);
  await pool.end();
  return schema;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}
