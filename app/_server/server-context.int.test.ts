import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { streamCsv } from '#db/kit/copy-csv.ts';
import { poolOf } from '#db/kit/open.ts';
import { closeServerContext } from '#e2e/support/db/server-context.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { exportAudit } from '#lib/audit/export-file.ts';
import type { SheetColumn } from '#lib/core/csv.ts';
import type { AuditFilter } from '#lib/people/rules/audit-filter.ts';
import { sendFile } from './send-file.ts';
import { completeReads, db, downloads, probe } from './server-context.ts';

const ALL: AuditFilter = { actor: '', act: '', subject: '', gameId: null, from: null, to: null };
const REQUEST = { filter: ALL, exportedAt: '2026-11-21T12:00:00Z', exportedBy: 'ada@studio.example' };
const COLUMNS: SheetColumn[] = [{ key: 'text', label: 'Text', kind: 'text' }];
const ENTRIES = 60_000;
let testDb: TestDb;

beforeAll(async () => {
  testDb = await createTestDb();
  process.env['DATABASE_URL'] = testDb.url;
  await testDb.pool.query(
    `insert into audit (actor, act, subject, detail)
     select 'ada@studio.example', 'changed roles', 'person ' || n, jsonb_build_object('note', repeat('x', 400)) from generate_series(1, $1) n`,
    [ENTRIES],
  );
});
afterAll(async () => {
  await closeServerContext();
  await testDb.close();
});

test('while ten readers of the audit log stop reading, the pages have their connections', { tags: 'proof' }, async () => {
  const files = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const { fileName, bytes } = await exportAudit({ db: db(), files: downloads().db }, REQUEST);
      return await sendFile(fileName, bytes);
    }),
  );
  // Four are written, the others are refused in a sentence.
  expect(files.map(({ status }) => status).toSorted()).toEqual([...Array<number>(4).fill(200), ...Array<number>(6).fill(503)]);
  const answers = await Promise.all(Array.from({ length: 10 }, () => sql<{ one: number }>`select 1 as one`.execute(db())));
  expect(answers.map(({ rows }) => rows[0]?.one)).toEqual(Array<number>(10).fill(1));
  for (const { body } of files) await body?.cancel();
});

test('a reader gets the whole log however long it takes: no limit of the pages ends its statement', { tags: 'proof' }, async () => {
  const limits = await Promise.all(
    [db(), downloads().db].map(async (each) => (await sql<{ statement_timeout: string }>`show statement_timeout`.execute(each)).rows[0]),
  );
  expect(limits).toEqual([{ statement_timeout: '30s' }, { statement_timeout: '30min' }]);
  const { fileName, bytes } = await exportAudit({ db: db(), files: downloads().db }, REQUEST);
  const lines = (await (await sendFile(fileName, bytes)).text()).split('\r\n');
  expect(lines.length).toBeGreaterThan(ENTRIES);
});

test('a file that is written over the connections of the pages is refused, however short it is', async () => {
  const { fileName, bytes } = await exportAudit({ db: db(), files: db() }, REQUEST);
  await expect(sendFile(fileName, bytes)).rejects.toThrow('write it with downloads()');
  const row = db().selectNoFrom(sql<string>`'x'`.as('text'));
  async function* short(): AsyncGenerator<string | Uint8Array> {
    yield 'text\r\n';
    yield* streamCsv(db(), COLUMNS, row);
  }
  await expect(sendFile('short.csv', short())).rejects.toThrow('write it with downloads()');
  async function* rows(): AsyncGenerator<string> {
    yield 'text\r\n';
    for await (const { text: cell } of row.stream(1)) yield `${cell}\r\n`;
  }
  await expect(sendFile('rows.csv', rows())).rejects.toThrow('write it with downloads()');
  expect(poolOf(db()).idleCount).toBe(poolOf(db()).totalCount);
});

test('a file may look something up over the connections of the pages between its pieces', async () => {
  async function* file(): AsyncGenerator<string> {
    for (const n of [1, 2, 3]) yield String((await sql<{ n: number }>`select ${n}::int as n`.execute(db())).rows[0]?.n);
  }
  expect(await (await sendFile('numbers.csv', file())).text()).toBe('123');
});

test('every file goes out through send-file.ts: no route answers with a stream of its own', () => {
  const app = path.resolve(import.meta.dirname, '..');
  const routes = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('route.ts'));
  expect(routes.length).toBeGreaterThan(10);
  const own = routes.filter((file) => /new Response\(|ReadableStream|NextResponse/.test(readFileSync(path.join(app, file), 'utf8')));
  expect(own).toEqual(['metrics/route.ts']);
});

test('the server closes every pool of the pages when it stops, whichever was opened first', async () => {
  const earlier = globalThis.sharebookContext;
  globalThis.sharebookContext = undefined;
  try {
    const handles = [downloads().db, probe(), db()];
    completeReads();
    await Promise.all(handles.map((handle) => sql`select 1`.execute(handle)));
    await closeServerContext();
    expect(handles.map((handle) => poolOf(handle).ended)).toEqual([true, true, true]);
  } finally {
    globalThis.sharebookContext = earlier;
  }
});
