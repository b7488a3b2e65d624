import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedGame } from '#e2e/support/db/row-page-seed.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { listAudit } from '#lib/audit/reads.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { exportAudit } from '../audit/export-file.ts';
import type { AuditFilter } from './rules/audit-filter.ts';

const ALL: AuditFilter = { actor: '', act: '', subject: '', gameId: null, from: null, to: null };
let testDb: TestDb;
let gameId: number;

beforeAll(async () => {
  testDb = await createTestDb();
  gameId = await seedGame(testDb.db);
  await recordAudit(testDb.db, {
    actor: 'ada@studio.example',
    act: 'changed roles',
    subject: 'sami@studio.example',
    detail: { after: ['support'] },
  });
  await recordAudit(testDb.db, {
    actor: 'sami@studio.example',
    gameId,
    act: 'requested this refund',
    subject: 'refund 1',
    detail: { amount_usd: '5.00' },
  });
  await recordAudit(testDb.db, { actor: 'ada@studio.example', gameId, act: 'approved this refund', subject: 'refund 1' });
  await recordAudit(testDb.db, { actor: 'worker', gameId, act: 'became the assignee', subject: '=refund 2' });
});
afterAll(() => testDb.close());

async function list(filter: Partial<AuditFilter>): Promise<string[]> {
  return (await listAudit(testDb.db, { ...ALL, ...filter }, { before: null, limit: 10 })).rows.map(({ act }) => act);
}

test.each<[Partial<AuditFilter>, string[]]>([
  [{}, ['became the assignee', 'approved this refund', 'requested this refund', 'changed roles']],
  [{ actor: 'ada@studio.example' }, ['approved this refund', 'changed roles']],
  [{ act: 'REFUND' }, ['approved this refund', 'requested this refund']],
  [{ subject: 'refund 1', actor: 'sami@studio.example' }, ['requested this refund']],
  [{ act: '%' }, []],
  [{ actor: 'sharebook' }, ['became the assignee']],
  [{ act: 'changed ROLES' }, ['changed roles']],
  [{ to: '2020-01-01' }, []],
  [{ from: '2020-01-01', act: 'roles' }, ['changed roles']],
])('the filter %j leaves %j', async (filter, acts) => {
  expect(await list(filter)).toEqual(acts);
});

test('a filter by game leaves the entries of that game', async () => {
  expect(await list({ gameId })).toHaveLength(3);
  expect(await list({ gameId: gameId + 1 })).toEqual([]);
});

test('pages follow one another from the newest to the oldest, without a gap', async () => {
  const first = await listAudit(testDb.db, ALL, { before: null, limit: 3 });
  const second = await listAudit(testDb.db, ALL, { before: first.before, limit: 3 });
  expect([...first.rows, ...second.rows].map(({ act }) => act)).toEqual(await list({}));
  expect([first.before === null, second.before]).toEqual([false, null]);
});

test('the file has the entries of the filter, oldest first, guards formulas, and was itself recorded', async () => {
  const { fileName, bytes } = await exportAudit(
    { db: testDb.db, files: testDb.db },
    {
      filter: { ...ALL, subject: 'refund' },
      exportedAt: '2026-11-22T18:00:00Z',
      exportedBy: 'anton@studio.example',
    },
  );
  let csv = '';
  for await (const piece of bytes) csv += String(piece);
  expect(fileName).toBe('audit-2026-11-22T180000Z.filtered.csv');
  const [header, ...rows] = csv.trimEnd().split('\r\n');
  expect(header).toBe('audit_id,at,actor,game,environment,act,subject,detail');
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatch(
    /^\d+,2\d{3}-\S+Z,sami@studio\.example,\S+,production,requested this refund,refund 1,"\{""amount_usd"": ""5\.00""\}"$/,
  );
  expect(rows[2]).toContain(",became the assignee,'=refund 2,");
  expect(await list({ actor: 'anton@studio.example' })).toEqual(['took a file']);
});
