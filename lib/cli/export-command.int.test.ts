import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ran, runCli } from '#e2e/support/cli/run-cli.ts';
import { seedSnapshot } from '#e2e/support/db/row-page-seed.ts';
import { readXlsx } from '#e2e/support/read-xlsx.ts';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';

const JANUARY = { start: '2026-01-01T00:00:00Z', end: '2026-02-01T00:00:00Z' };
const FEBRUARY = { start: JANUARY.end, end: '2026-03-01T00:00:00Z' };
const MARCH = { start: FEBRUARY.end, end: '2026-04-01T00:00:00Z' };
const folder = mkdtempSync(path.join(tmpdir(), 'sharebook-export-'));
let testEnv: TestEnvironment;

beforeAll(async () => {
  testEnv = await openTestEnvironment();
  const { gameId } = await testEnv.game();
  await seedSnapshot(testEnv.db, gameId, { ...JANUARY, recipients: [{ recipient_player_id: 7 }] });
  await seedSnapshot(testEnv.db, gameId, { ...MARCH, status: 'open' });
  await seedSnapshot(testEnv.db, gameId, { ...FEBRUARY, recipients: [{ recipient_player_id: 1 }] });
  await testEnv.db.transaction().execute(async (tx) => {
    // Triggers of each row would take longer than the test.
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`insert into snapshot_recipient
      select (jsonb_populate_record(first, jsonb_build_object('recipient_player_id', no))).*
      from snapshot_recipient first join snapshot using (game_id, snapshot_id), generate_series(2, 100001) no
      where snapshot.window_start = ${FEBRUARY.start}`.execute(tx);
  });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await testEnv.close();
});

const exportXlsx = (month: string, ...more: string[]): Promise<Ran> =>
  runCli(testEnv, ['export', '--game', 'demo', '--month', month, '--sheet', 'recipients', '--format', 'xlsx', ...more]);

test('a spreadsheet is written into the current folder, with a manifest that has its digest', async () => {
  const before = process.cwd();
  process.chdir(folder);
  const { code, out } = await exportXlsx('2026-01', '--json').finally(() => process.chdir(before));
  const name = 'demo-recipients-2026-01-01-2026-02-01.xlsx';
  expect(code).toBe(0);
  const bytes = readFileSync(path.join(folder, name));
  expect(readXlsx(bytes).rows.map((row) => row['F']?.value)).toEqual(['recipient_player_id', '7']);
  const manifest = JSON.parse(readFileSync(path.join(folder, `${name}.manifest.json`), 'utf8'));
  expect(JSON.parse(out)).toEqual({ file: name, manifest });
  expect(manifest).toMatchObject({ format: 'xlsx', numbers_as_text: 0, rows: 1 });
  expect(manifest.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
});

test('a spreadsheet of more than 100,000 rows exits with 1, writes no file and offers the CSV', async () => {
  const refused = await exportXlsx('2026-02', '--out', path.join(folder, 'february.xlsx'));
  expect(refused).toEqual({ code: 1, out: '', err: expect.stringMatching(/An Excel file has 100,000 rows at most.*Export the CSV/) });
  expect(readdirSync(folder).filter((file) => file.startsWith('february'))).toEqual([]);
});

test('an incomplete spreadsheet has a name that says so', async () => {
  expect(await exportXlsx('2026-03')).toMatchObject({ code: 3, out: '' });
  const misnamed = await exportXlsx('2026-03', '--incomplete-ok', '--out', path.join(folder, 'march.xlsx'));
  expect([misnamed.code, misnamed.err]).toEqual([2, expect.stringMatching(/For example: .*march\.incomplete\.xlsx$/m)]);
});
