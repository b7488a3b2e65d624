import { randomBytes } from 'node:crypto';
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
