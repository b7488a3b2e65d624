import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listPendingMigrations } from '#db/kit/administer.ts';
import { MIGRATIONS_FOLDER } from '#db/kit/migrate.ts';
import { openDb } from '#db/kit/open.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { readConfig } from '#lib/config.ts';
import { checkReadiness, type Readiness, shareReadiness } from './check-readiness.ts';

/** Longer than a database that is there takes, however busy the machine. */
const PATIENT_MS = 30_000;

let book: TestDb;
beforeAll(async () => {
  book = await createTestDb();
});
afterAll(async () => await book.close());

test('a current database is ready', async () => {
  expect(await checkReadiness(() => book.db, MIGRATIONS_FOLDER, PATIENT_MS)).toEqual({ status: 'ready' });
});

test('a migration that is missing is named, as the migrator names it, and once applied all is ready again', async () => {
  const { rows } = await sql<{
    name: string;
    timestamp: string;
  }>`delete from kysely_migration where name like '0002%' returning name, timestamp`.execute(book.db);
  const [applied] = rows;
  const migrations = await listPendingMigrations(book.db, MIGRATIONS_FOLDER);
  expect(migrations).toEqual(['0002_people']);
  expect(await checkReadiness(() => book.db, MIGRATIONS_FOLDER, PATIENT_MS)).toEqual({
    status: 'not ready',
    reason: 'migrations_pending',
    migrations,
  });
  await sql`insert into kysely_migration (name, timestamp) values (${applied?.name}, ${applied?.timestamp})`.execute(book.db);
  expect(await checkReadiness(() => book.db, MIGRATIONS_FOLDER, PATIENT_MS)).toEqual({ status: 'ready' });
});

test('an empty database lacks every migration', async () => {
  await sql`create database empty_book`.execute(book.db);
  const url = new URL(book.url);
  url.pathname = '/empty_book';
  const { db, close } = openDb(url.href);
  const readiness = await checkReadiness(() => db, MIGRATIONS_FOLDER, PATIENT_MS);
  await close();
  expect(readiness).toMatchObject({ reason: 'migrations_pending', migrations: expect.arrayContaining(['0001_evidence', '0002_people']) });
});

test('a database that refuses, one that never answers, and none configured are distinguished from ready in time', async () => {
  const silent = net.createServer(() => undefined).listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  const { port } = silent.address() as net.AddressInfo;
  const [refusing, never] = [openDb('postgres://nobody@127.0.0.1:9/none'), openDb(`postgres://nobody@127.0.0.1:${port}/none`)];
  const unreachable = { status: 'not ready', reason: 'database_unreachable' };
  expect(await checkReadiness(() => refusing.db, MIGRATIONS_FOLDER, PATIENT_MS)).toEqual(unreachable);
  const givenUp = sql`select 1`.execute(never.db).catch(() => 'the connection itself gave up');
  await sleep(1_000);
  expect(await Promise.race([givenUp, checkReadiness(() => never.db, MIGRATIONS_FOLDER, 300)])).toEqual(unreachable);
  expect(await checkReadiness(() => (readConfig({}), book.db), MIGRATIONS_FOLDER, PATIENT_MS)).toEqual({
    status: 'not ready',
    reason: 'not_configured',
  });
  silent.close();
});

test('a thousand probes are one check, also when they come during it, and a second later there is another', async () => {
  let now = 0;
  const checks: ((answer: Readiness) => void)[] = [];
  const ask = shareReadiness(
    () => new Promise((resolve) => checks.push(resolve)),
    () => now,
  );
  const first = Array.from({ length: 999 }, () => ask());
  checks[0]?.({ status: 'not ready', reason: 'database_unreachable' });
  expect(new Set((await Promise.all(first)).map(({ status }) => status))).toEqual(new Set(['not ready']));
  now = 999;
  expect(await ask()).toMatchObject({ status: 'not ready' });
  expect(checks).toHaveLength(1);
  now = 1_000;
  const later = ask();
  checks[1]?.({ status: 'ready' });
  expect(await later).toEqual({ status: 'ready' });
});
