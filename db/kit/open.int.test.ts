import { AsyncLocalStorage } from 'node:async_hooks';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ANY_CHARACTER } from '#e2e/support/any-character.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { type Cell, copyRows, fetchParts } from './copy.ts';
import { type Db, inTransaction, isServerAway, openDb, streamFrozenView } from './open.ts';

let testDb: TestDb;

beforeAll(async () => {
  testDb = await createTestDb();
  await testDb.pool.query('create table copied (no int, words text, amount usd, is_so boolean)');
});
afterAll(() => testDb.close());

test('a server of a cluster counts as away when it can’t be reached, or a connection to it is lost', () => {
  const failed = (code: string, message = ''): Error => Object.assign(new Error(message), { code });
  const away = [
    failed('08006'),
    failed('57P01'),
    failed('XX000', 'failure on connection marked as essential: 10.0.0.2:5432'),
    failed('XX000', 'terminating connection due to administrator command'),
  ];
  expect(away.map(isServerAway)).toEqual([true, true, true, true]);
  expect([failed('XX000'), failed('23505'), new Error('timeout'), '08006'].map(isServerAway)).toEqual([false, false, false, false]);
});

test('COPY stores any text unchanged', async () => {
  const nasty = [
    '',
    '\\N',
    '\\',
    '\\.',
    '\t',
    '\n',
    '\r\n',
    '\\n',
    'a\tb\nc',
    '"',
    "'",
    '🦊',
    'ﬀ',
    '\u0001',
    '\u007f',
    'NULL',
    "'; drop table copied; --",
    '\\\\x',
  ];
  await roundTrip(nasty.map((words) => [words, '1.00', true]));
});

test('COPY accepts any text without a NUL byte or a lone surrogate', async () => {
  const text = fc.string({ unit: ANY_CHARACTER }).filter((each) => !each.includes('\u0000') && each.isWellFormed());
  const row = fc.tuple(fc.option(text), fc.option(fc.constantFrom('0', '-12.50', '9007199254740993.01', '1.500')), fc.option(fc.boolean()));
  await fc.assert(fc.asyncProperty(fc.array(row, { maxLength: 40 }), roundTrip), { numRuns: 30 });
});

test('a session that isn’t in UTC reads no time, and the client remains usable', async () => {
  const client = await testDb.pool.connect();
  try {
    await client.query(`set timezone = 'Europe/Berlin'`);
    await expect(client.query(`select timestamptz '2026-10-01T00:00:00Z' as at`)).rejects.toThrow("isn't in UTC: 2026-10-01 02:00:00+02");
    await client.query(`set timezone = 'UTC'`);
    expect((await client.query(`select timestamptz '2026-10-01T02:00:00.5+02' as at`)).rows).toEqual([{ at: '2026-10-01T00:00:00.5Z' }]);
  } finally {
    client.release();
  }
});

test('a statement counts with who sends it, and is timed, also after a wait for a connection', async () => {
  const sender = new AsyncLocalStorage<string>();
  const counts = new Map<string | undefined, number>();
  let timedCount = 0;
  const started = (): void => void counts.set(sender.getStore(), (counts.get(sender.getStore()) ?? 0) + 1);
  const { db, close } = openDb(testDb.url, { poolSize: 1, record: { started, ended: () => (timedCount += 1) } });
  const names = Array.from({ length: 20 }, (_, index) => `sender ${index}`);
  await Promise.all(names.map((name) => sender.run(name, () => sql`select ${name}::text`.execute(db))));
  await expect(sql`select 1 / 0`.execute(db)).rejects.toThrow('division by zero');
  expect(Object.fromEntries(counts)).toMatchObject(Object.fromEntries(names.map((name) => [name, 1])));
  expect(timedCount).toBe([...counts.values()].reduce((sum, count) => sum + count, 0));
  await close();
});

test('copying no rows is not an error', async () => {
  await roundTrip([]);
});

test('copying more rows than one chunk holds stores all of them', async () => {
  await roundTrip(Array.from({ length: 20_000 }, (_, index) => [`row ${index}`, `${index}.01`, index % 2 === 0]));
});

test.each<[string, Cell[]]>([
  ['a null byte', [1, 'a\u0000b', '1.00', true]],
  ['an amount that is none', [1, 'x', 'NaN', true]],
  ['a cell too many', [1, 'x', '1.00', true, 'y']],
])('%s is an error, nothing of the copy stays, and the client remains usable', async (_, row) => {
  await testDb.pool.query('truncate copied');
  const work = inTransaction(testDb.db, (tx) => copyRows(tx, 'copied', COLUMNS, [[0, 'fine', '1.00', true], row]));
  await expect(work).rejects.toThrow();
  expect(await countCopied()).toBe(0);
});

test('an error in the source of the rows stores none of them, and the next statement has a connection that works', async () => {
  await testDb.pool.query('truncate copied');
  const rows = function* (): Generator<Cell[]> {
    yield [1, 'x'.repeat(100_000), '1.00', true];
    throw new Error('the source broke off');
  };
  await expect(inTransaction(testDb.db, (tx) => copyRows(tx, 'copied', COLUMNS, rows()))).rejects.toThrow('broke off');
  expect(await countCopied()).toBe(0);
});

test('COPY outside a transaction is refused', async () => {
  await expect(copyRows(testDb.db, 'copied', COLUMNS, [[1, 'lost', '1.00', true]])).rejects.toThrow('needs a transaction');
});

test('an error rolls a transaction back, also one that works within another', async () => {
  await testDb.pool.query('truncate copied');
  const add = (tx: Db): Promise<unknown> => sql`insert into copied (no) values (1)`.execute(tx);
  const work = inTransaction(testDb.db, async (tx) => {
    await inTransaction(tx, add);
    throw new Error('after the inner one');
  });
  await expect(work).rejects.toThrow('after the inner one');
  expect(await countCopied()).toBe(0);
  await inTransaction(testDb.db, add);
  expect(await countCopied()).toBe(1);
});

test('a statement is read in parts, between which others run', async () => {
  const parts = await inTransaction(testDb.db, async (tx) => {
    const found: number[][] = [];
    for await (const rows of fetchParts<{ no: number }>(tx, sql`select no::int from generate_series(1, ${5}::int) no`, 2)) {
      await sql`select 1`.execute(tx);
      found.push(rows.map(({ no }) => no));
    }
    return found;
  });
  expect(parts).toEqual([[1, 2], [3, 4], [5]]);
});

test('what streams over a frozen view sees one state and changes nothing, and a reader that stops early gives its connection back', async () => {
  await testDb.pool.query('truncate copied');
  const { db, close } = openDb(testDb.url, { poolSize: 1, connect_ms: 2_000 });
  const count = async (view: Db): Promise<number> => (await sql`select from copied`.execute(view)).rows.length;
  const counts = streamFrozenView(db, async function* (view) {
    for (;;) yield await count(view);
  });
  onTestFinished(async () => {
    await counts.return(0);
    await close();
  });
  expect((await counts.next()).value).toBe(0);
  await testDb.pool.query('insert into copied (no) values (1)');
  expect((await counts.next()).value).toBe(0);
  await counts.return(0);
  expect(await count(db)).toBe(1);
  const writing = streamFrozenView(db, async function* (view) {
    yield await sql`insert into copied (no) values (2)`.execute(view);
  });
  await expect(writing.next()).rejects.toThrow('read-only transaction');
  expect(await count(db)).toBe(1);
  await expect(inTransaction(db, (tx) => streamFrozenView(tx, async function* () {}).next())).rejects.toThrow('gets no frozen view');
});

const COLUMNS = ['no', 'words', 'amount', 'is_so'];

async function countCopied(): Promise<number> {
  const { rows } = await testDb.pool.query<{ count: number }>('select count(*) from copied');
  return rows[0]?.count ?? -1;
}

async function roundTrip(rows: Cell[][]): Promise<void> {
  await testDb.pool.query('truncate copied');
  const found = await inTransaction(testDb.db, async (tx) => {
    await copyRows(
      tx,
      'copied',
      COLUMNS,
      rows.map((row, no) => [no, ...row]),
    );
    return await sql<{ words: string; amount: string; is_so: boolean }>`select words, amount, is_so from copied order by no`.execute(tx);
  });
  expect(found.rows.map(({ words, amount, is_so }) => [words, amount, is_so])).toEqual(rows);
}
