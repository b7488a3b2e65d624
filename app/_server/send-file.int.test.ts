import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { streamCsv } from '#db/kit/copy-csv.ts';
import { openWithPool } from '#e2e/support/db/open-with-pool.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import type { SheetColumn } from '#lib/core/csv.ts';
import { writeXlsx } from '#lib/core/xlsx.ts';
import { sendFile } from './send-file.ts';

const SLOTS = 4;
const COLUMNS: SheetColumn[] = [{ key: 'text', label: 'Text', kind: 'text' }];
let testDb: TestDb;

beforeAll(async () => {
  testDb = await createTestDb();
});
afterAll(() => testDb.close());

/** The connections of downloads, as few as a process has. */
function openDownloads(): ReturnType<typeof openWithPool> {
  // Long enough to connect on a busy machine: the first ones must not be refused.
  const opened = openWithPool(testDb.url, { poolSize: SLOTS, connect_ms: 2_000 });
  onTestFinished(() => opened.close());
  return opened;
}

/** A file far larger than what a connection holds on its way. */
async function* largeFile({ db }: ReturnType<typeof openWithPool>): AsyncGenerator<string | Uint8Array> {
  yield 'text\r\n';
  const rows = db.selectNoFrom(sql<string>`repeat('x', 100)`.as('text')).select(sql`generate_series(1, 5000000)`.as('no'));
  yield* streamCsv(db, COLUMNS, rows);
}

test('readers that stall hold the connections of downloads alone, and the next file is refused in a sentence', {
  tags: 'proof',
}, async () => {
  const downloads = openDownloads();
  const stalled = await Promise.all(Array.from({ length: SLOTS }, () => sendFile('large.csv', largeFile(downloads))));
  expect(stalled.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const next = await sendFile('large.csv', largeFile(downloads));
  expect([next.status, await next.text()]).toEqual([503, 'Other exports are running. Try again in a minute.\n']);
  const spreadsheet = await sendFile('large.xlsx', writeXlsx({ name: 'large', columns: COLUMNS }, largeFile(downloads)));
  expect(spreadsheet.status).toBe(503);
  expect((await testDb.pool.query<{ one: number }>('select 1 as one')).rows).toEqual([{ one: 1 }]);
  for (const { body } of stalled) await body?.cancel();
});

test.each([['stalled'], ['whole']] as const)(
  'a file past the limit "%s" ends in an error, and its connection is free again',
  async (limit) => {
    const downloads = openDownloads();
    const { body } = await sendFile('large.csv', largeFile(downloads), { [limit]: 20 });
    const reader = body?.getReader();
    await expect.poll(() => downloads.pool.totalCount).toBe(0);
    await expect(
      (async () => {
        while (!(await reader?.read())?.done);
      })(),
    ).rejects.toThrow(`the limit "${limit}"`);
  },
);

test('a file that can’t begin is an error and no file of one line', async () => {
  async function* broken(): AsyncGenerator<string> {
    yield 'header\r\n';
    throw new Error('no rows');
  }
  await expect(sendFile('broken.csv', broken())).rejects.toThrow('no rows');
});

test('a spreadsheet has the type of one, and a reader that goes away ends the query behind it', async () => {
  const downloads = openDownloads();
  const { headers, body } = await sendFile('large.xlsx', writeXlsx({ name: 'large', columns: COLUMNS }, largeFile(downloads)));
  expect(headers.get('content-type')).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
  expect(downloads.pool.totalCount).toBe(1);
  await body?.cancel();
  await expect.poll(() => downloads.pool.totalCount).toBe(0);
});

test('a reader that goes away ends the query behind its file', async () => {
  const downloads = openDownloads();
  const { body } = await sendFile('large.csv', largeFile(downloads));
  await body?.cancel();
  await expect.poll(() => downloads.pool.totalCount).toBe(0);
});
