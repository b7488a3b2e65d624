import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { migrateDatabase } from './migrate.ts';
import { RIGHTS } from './rights.ts';

let testDb: TestDb;
const as = {} as Record<'web' | 'worker', pg.Pool>;
beforeAll(async () => {
  testDb = await createTestDb();
  for (const login of ['web', 'worker'] as const) as[login] = new pg.Pool({ connectionString: testDb.logins[login], max: 1 });
});
afterAll(async () => {
  await Promise.all([as.web.end(), as.worker.end()]);
  await testDb.close();
});

/** Tables with a trigger that refuses TRUNCATE: their rows are permanent. `isFixed`: no row of it is ever changed. */
async function listProtected(): Promise<{ table: string; isFixed: boolean }[]> {
  const { rows } = await testDb.pool.query<{ table: string; isFixed: boolean }>(`
    select tgrelid::regclass::text as "table", coalesce(bool_or(tgfoid = 'refuse_change'::regproc and tgtype & 24 = 24), false) as "isFixed"
    from pg_trigger group by tgrelid having bool_or(tgtype & 32 > 0 and tgfoid = 'refuse_change'::regproc) order by 1`);
  return rows;
}

async function refusal(pool: pg.Pool, statement: string): Promise<string> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(statement);
    return `${statement}: done`;
  } catch (error) {
    return `${(error as pg.DatabaseError).code}`;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

test('every table has its rights listed once', async () => {
  const { rows } = await testDb.pool.query<{ table: string }>(`select tablename as "table" from pg_tables where schemaname = 'public'`);
  expect(Object.keys(RIGHTS).toSorted(), 'list each table in db/kit/rights.ts').toEqual(rows.map(({ table }) => table).toSorted());
});

test('no login may change or delete what a trigger protects', async () => {
  const fixed = (await listProtected()).filter(({ isFixed }) => isFixed).map(({ table }) => table);
  expect(fixed).toEqual(expect.arrayContaining(['slice', 'snapshot', 'renewal_line', 'audit', 'audit_link', 'refund_read']));
  const granted = fixed.flatMap((table) => [...(RIGHTS[table]?.web ?? ['?']), ...(RIGHTS[table]?.worker ?? ['?'])]);
  expect([...new Set(granted)].toSorted()).toEqual(['insert', 'select']);
});

describe.each(['web', 'worker'] as const)('the %s login', (login) => {
  test('is refused every change of evidence, of its tables and of their triggers', async () => {
    const protectedTables = await listProtected();
    expect(protectedTables.length).toBeGreaterThan(20);
    for (const { table, isFixed } of protectedTables) {
      const [column] = (
        await testDb.pool.query<{ name: string }>(
          `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and attidentity = '' limit 1`,
          [table],
        )
      ).rows;
      const statements = [
        ...(isFixed ? [`update ${table} set ${column?.name} = ${column?.name}`, `delete from ${table}`] : []),
        `truncate ${table}`,
        `truncate ${table} cascade`,
        `drop table ${table} cascade`,
        `alter table ${table} disable trigger all`,
        `alter table ${table} disable trigger ${table}_whole`,
        `drop trigger ${table}_whole on ${table}`,
        `create rule quiet as on insert to ${table} do instead nothing`,
        `alter table ${table} owner to current_user`,
      ];
      for (const statement of statements) expect(await refusal(as[login], statement), statement).toBe('42501');
    }
  });

  test('is refused to turn triggers off, to act as the owner, and to create or replace anything', async () => {
    const statements = [
      `set session_replication_role = replica`,
      'set role sharebook_owner',
      'create table mine (n int)',
      `create or replace function refuse_change() returns trigger language plpgsql as 'begin return new; end'`,
      'create schema mine',
      'alter table pgboss.job_common add column n int',
      'drop schema pgboss cascade',
      'create role mine',
    ];
    for (const statement of statements) expect(await refusal(as[login], statement), statement).toBe('42501');
  });

  test('is refused to delete a refund, its attempts and the outcomes people recorded', async () => {
    for (const table of ['refund', 'refund_attempt', 'refund_decision', 'refund_pause'])
      expect(await refusal(as[login], `delete from ${table}`), table).toBe('42501');
  });
});

test('the worker decides no payout', async () => {
  expect(await refusal(as.worker, `insert into payout_approval (game_id) values (1)`)).toBe('42501');
  expect(await refusal(as.worker, `update payout_run set state = 'approved'`)).toBe('42501');
});

test('the web login adds no evidence and no job, and the worker login neither reads passwords nor changes people', async () => {
  expect(await refusal(as.web, `insert into snapshot_check (game_id) values (1)`)).toBe('42501');
  expect(await refusal(as.web, `update slice_recipient set player_name = null`)).toBe('42501');
  expect(await refusal(as.web, `select from pgboss.job`)).toBe('42501');
  expect(await refusal(as.worker, `select hash from person_password`)).toBe('42501');
  expect(await refusal(as.worker, `select sealed_secret from second_factor`)).toBe('42501');
  expect(await refusal(as.worker, `select code_digest from backup_code`)).toBe('42501');
  expect(await refusal(as.worker, `delete from second_factor_role`)).toBe('42501');
  expect(await refusal(as.web, `update second_factor set person_id = ''`)).toBe('42501');
  expect(await refusal(as.worker, `update person set roles = '{finance}'`)).toBe('42501');
});

describe('roles.sql and migrate', () => {
  test('a database of one login that is given to the owner retains its rows, and migrating again changes no right', {
    tags: 'proof',
  }, async () => {
    const url = await emptyDatabase();
    await migrateDatabase(url);
    await query(url, `insert into game (slug, environment, name, time_zone) values ('aurora', 'sandbox', 'Aurora', 'UTC')`);
    for (let time = 1; time <= 2; time += 1) await query(url, readFileSync(path.join(import.meta.dirname, '../roles.sql'), 'utf8'));
    const owned = `select distinct relowner::regrole::text as owner from pg_class where relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace)
      and relkind in ('r', 'p', 'v', 'S') union select proowner::regrole::text from pg_proc where pronamespace = 'pgboss'::regnamespace or proname = 'wake'`;
    expect(await query(url, owned)).toEqual([{ owner: 'sharebook_owner' }]);
    const { migrate, web } = withName(new URL(url).pathname);
    await query(url, `grant delete on slice to sharebook_web`);
    await migrateDatabase(migrate);
    const rights = `select relname, relacl::text from pg_class where relacl is not null order by relname`;
    const once = await query(url, rights);
    await Promise.all([migrateDatabase(migrate), migrateDatabase(migrate)]);
    expect(await query(url, rights)).toEqual(once);
    expect(await query(web, 'select slug from game')).toEqual([{ slug: 'aurora' }]);
    await expect(query(web, 'delete from slice')).rejects.toMatchObject({ code: '42501' });
  });

  test('what migrate creates belongs to the owner, and a login that may not act as it has nothing to do once it is applied', {
    tags: 'proof',
  }, async () => {
    const url = await emptyDatabase();
    await query(url, readFileSync(path.join(import.meta.dirname, '../roles.sql'), 'utf8'));
    const { migrate, web } = withName(new URL(url).pathname);
    await expect(migrateDatabase(web)).rejects.toThrow(/permission denied/);
    await migrateDatabase(migrate);
    expect(await query(url, `select tableowner from pg_tables where schemaname in ('public', 'pgboss') group by 1`)).toEqual([
      { tableowner: 'sharebook_owner' },
    ]);
    await migrateDatabase(web);
  });
});

function withName(pathname: string): Record<'web' | 'worker' | 'migrate', string> {
  const { web, worker, migrate } = inject('loginUrls');
  const inIt = (url: string): string => Object.assign(new URL(url), { pathname }).href;
  return { web: inIt(web), worker: inIt(worker), migrate: inIt(migrate) };
}

async function emptyDatabase(): Promise<string> {
  const name = `empty_${randomBytes(8).toString('hex')}`;
  await query(inject('serverUrl'), `create database ${name}`);
  return Object.assign(new URL(inject('serverUrl')), { pathname: `/${name}` }).href;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
