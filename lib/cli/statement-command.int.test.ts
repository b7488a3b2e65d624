import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '#e2e/support/cli/run-cli.ts';
import { closeMonth, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';

let testEnv: TestEnvironment;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'statement-'));
  testEnv = await openPulledEnvironment('2026-10');
  const people = { preparer: await seedFinance(testEnv, 'fiona'), approver: await seedFinance(testEnv, 'ada') };
  await closeMonth(testEnv, people, '2026-10');
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await testEnv.close();
});

const run = (argv: string[]) => runCli(testEnv, ['statement', '--game', 'demo', '--month', '2026-10', ...argv]);

test('a statement is written as a file, or to stdout, with the same bytes each time', async () => {
  const out = path.join(folder, 'statement.pdf');
  const { code, out: printed } = await run(['--recipient', '9001', '--format', 'pdf', '--out', out, '--json']);
  const bytes = readFileSync(out);
  expect(code).toBe(0);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  expect(JSON.parse(printed)).toEqual({ file: out, run_no: 1, recipient_player_id: 9001, sha256 });
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  expect((await run(['--recipient', '9001', '--format', 'pdf', '--out', out])).out).toBe(`${out}: ${bytes.length} bytes\n`);
  expect(readFileSync(out).equals(bytes)).toBe(true);
  expect(readdirSync(folder)).toEqual(['statement.pdf']);
  const csv = await run(['--recipient', '9012', '--format', 'csv', '--out', '-']);
  expect(csv.out).toMatch(
    /^section,position,settled_on,period_id,subscription_id,description,amount_usd\r\nopening,1,,,,No earlier run,0\.00\r\n/,
  );
});

test('a recipient without a line and a month without a run have no statement', async () => {
  expect(await run(['--recipient', '1', '--format', 'csv'])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/no recipient 1/),
  });
  const other = await runCli(testEnv, ['statement', '--game', 'demo', '--month', '2026-09', '--recipient', '1', '--format', 'csv']);
  expect(other).toMatchObject({ code: 1, err: expect.stringMatching(/no payout run of 2026-09/) });
});

test.each([
  [['--recipient', '9001'], /--format is one of pdf, csv/],
  [['--recipient', 'x', '--format', 'pdf'], /player ID with --recipient/],
])('%j is refused with the usage', async (argv, reason) => {
  expect(await run(argv)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(reason) });
});

test('a file and JSON together on stdout are refused, as JSON', async () => {
  const refused = await run(['--recipient', '1', '--format', 'pdf', '--json', '--out', '-']);
  expect(refused).toMatchObject({ code: 2, err: expect.stringMatching(/both write to stdout/) });
  expect(JSON.parse(refused.out)).toMatchObject({ error: { exit_code: 2, message: expect.stringMatching(/both write to stdout/) } });
});
