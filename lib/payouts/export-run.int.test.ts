import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeMonth, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { readXlsx } from '#e2e/support/read-xlsx.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { parseCsv } from '../core/csv.ts';
import { sumMoney } from '../core/money.ts';
import { draftRun } from './draft-run.ts';
import { exportRun, type RunFormat } from './export-run.ts';

let testEnv: TestEnvironment;

beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-09', '2026-10');
  const [preparer, approver] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
  await closeMonth(testEnv, { preparer, approver }, '2026-09');
  await draftRun(await testEnv.game(), preparer, '2026-10');
});
afterAll(() => testEnv.close());

async function take(runNo: number, format: RunFormat): Promise<{ fileName: string; bytes: Buffer }> {
  const file = await exportRun(await testEnv.game(), runNo, { format, exportedBy: 'fiona@studio.example' });
  if (!file.ok) throw new Error(file.reason);
  return { fileName: file.fileName, bytes: Buffer.concat(await Array.fromAsync(file.bytes)) };
}

async function read(bytes: Buffer): Promise<Record<string, string>[]> {
  const [head = [], ...rows] = (
    await Array.fromAsync(
      parseCsv(
        (async function* () {
          yield bytes;
        })(),
      ),
    )
  ).flat();
  return rows.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index] ?? ''])));
}

test('the file of a run has a row per line, and each column adds up to the run', async () => {
  const { fileName, bytes } = await take(1, 'csv');
  expect(fileName).toBe('demo-run-1.csv');
  const rows = await read(bytes);
  const { rows: runs } = await testEnv.pool.query('select * from payout_run where run_no = 1');
  expect(rows).toHaveLength(runs[0].line_count);
  const sum = (column: string): number => Number(sumMoney(rows.map((row) => row[column] ?? '')));
  expect([sum('opening_usd'), sum('earned_usd'), sum('payable_usd'), sum('carried_forward_usd')]).toEqual(
    [runs[0].opening_usd, runs[0].earned_usd, runs[0].payable_usd, runs[0].closing_usd].map(Number),
  );
  expect(rows[0]).toMatchObject({ run_no: '1', state: 'approved', content_digest: runs[0].content_digest.toString('hex') });
});

test('a draft is named as one, and the Excel file has the cells of the CSV', async () => {
  const { fileName, bytes } = await take(2, 'xlsx');
  expect(fileName).toBe('demo-run-2.draft.xlsx');
  const [head = {}, ...sheet] = readXlsx(bytes).rows;
  const rows = await read((await take(2, 'csv')).bytes);
  expect(sheet).toHaveLength(rows.length);
  const letterOf = (name: string): string => Object.keys(head).find((letter) => head[letter]?.value === name) ?? '';
  for (const column of ['recipient_player_id', 'payable_usd', 'due_usd'])
    expect(sheet.map((row) => Number(row[letterOf(column)]?.value))).toEqual(rows.map((row) => Number(row[column])));
  expect(sheet.map((row) => row[letterOf('outcome')]?.value)).toEqual(rows.map((row) => row['outcome']));
});

test('a run that doesn’t exist has no file', async () => {
  expect(await exportRun(await testEnv.game(), 9, { format: 'csv', exportedBy: 'fiona@studio.example' })).toEqual({
    ok: false,
    reason: 'no_run',
  });
});
