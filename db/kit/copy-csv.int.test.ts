import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import type { SheetColumn } from '#lib/core/csv.ts';
import { streamCsv } from './copy-csv.ts';

const COLUMNS: SheetColumn[] = [
  { key: 'no', label: 'No.', kind: 'count' },
  { key: 'name', label: 'Name', kind: 'text' },
];
let testDb: TestDb;

beforeAll(async () => {
  testDb = await createTestDb();
});
afterAll(() => testDb.close());

const numbered = (count: number, name: string) =>
  testDb.db.selectNoFrom(sql<number>`generate_series(1, ${count})`.as('no')).select(sql<string>`${name}::text`.as('name'));

/** Backends at a COPY in this database. */
async function countCopies(): Promise<number> {
  const { rows } = await testDb.pool.query<{ copies: number }>(
    `select count(*) as copies from pg_stat_activity where datname = current_database() and query like 'copy (%' and state <> 'idle'`,
  );
  return rows[0]?.copies ?? 0;
}

test('rows end in CRLF and line feeds inside quotes stay, wherever the pieces are cut', async () => {
  const name = `,"\n${'"\r\n'.repeat(3)}x`;
  const pieces = await Array.fromAsync(streamCsv(testDb.db, COLUMNS, numbered(40_000, name)));
  const cell = `"${name.replaceAll('"', '""')}"`;
  const wanted = Array.from({ length: 40_000 }, (_, index) => `${index + 1},${cell}\r\n`).join('');
  expect(pieces.length).toBeGreaterThan(5);
  expect(Buffer.concat(pieces).toString() === wanted).toBe(true);
});

test('later statements see the database as the rows saw it', async () => {
  await testDb.pool.query('create table counted (no int, name text)');
  await testDb.pool.query(`insert into counted select no, 'x' from generate_series(1, 50000) no`);
  let after = 0;
  const query = testDb.db.selectNoFrom(sql<number>`unnest(array(select no from counted))`.as('no')).select(sql<string>`'x'`.as('name'));
  const pieces = streamCsv(testDb.db, COLUMNS, query, async (tx) => {
    after = (await sql<{ count: number }>`select count(*) from counted`.execute(tx)).rows[0]?.count ?? -1;
  });
  let text = '';
  for await (const piece of pieces) {
    if (text === '') await testDb.pool.query(`insert into counted values (0, 'later')`);
    text += piece.toString();
  }
  expect([text.split('\r\n').length - 1, after]).toEqual([50_000, 50_000]);
});

test('a backend that dies ends the file in an error, and the pool answers', async () => {
  const pieces = streamCsv(testDb.db, COLUMNS, numbered(5_000_000, 'x'.repeat(100)));
  await pieces.next();
  await testDb.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'copy (%' and state <> 'idle'`,
  );
  await expect(Array.fromAsync(pieces)).rejects.toThrow();
  // The connection ends a moment before its backend has left the list of processes.
  await expect.poll(countCopies, { timeout: 10_000 }).toBe(0);
});

test('twenty readers that go away leave no COPY behind', async () => {
  for (let reader = 0; reader < 20; reader += 1) {
    const pieces = streamCsv(testDb.db, COLUMNS, numbered(5_000_000, 'x'.repeat(100)));
    await pieces.next();
    await pieces.return(undefined);
  }
  await expect.poll(countCopies, { timeout: 10_000 }).toBe(0);
});
