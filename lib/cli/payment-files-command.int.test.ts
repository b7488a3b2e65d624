// @module-tag proof
import { chmod, mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ran, runCli } from '#e2e/support/cli/run-cli.ts';
import { closeMonth, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { handOverAll } from '#e2e/support/payouts/hand-over-all.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { sha256Of } from '../core/canonical-digest.ts';
import { openFile } from '../payments/open-file.ts';

let testEnv: TestEnvironment;

beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-08');
});
afterAll(() => testEnv.close());

const run = (argv: string[], key: string | null = PAYEE_KEY.toString('hex')): Promise<Ran> =>
  runCli(testEnv, ['payment-files', '--game', 'demo', '--month', '2026-08', ...argv], key === null ? {} : { SHAREBOOK_PAYEE_KEY: key });

test('the files that people made are written byte for byte, readable by their owner alone, and a month without any says so', async () => {
  expect(await run([])).toMatchObject({ code: 1, err: expect.stringMatching(/no payout run of 2026-08/) });
  const people = { preparer: await seedFinance(testEnv, 'fiona'), approver: await seedFinance(testEnv, 'ada') };
  const closed = await closeMonth(testEnv, people, '2026-08');
  expect(await run([])).toMatchObject({ code: 1, err: expect.stringMatching(/no payment files/) });
  await handOverAll(testEnv, people, closed);
  const folder = path.join(await mkdtemp(path.join(tmpdir(), 'payments-')), 'out');
  const written = await run(['--out', folder, '--json']);
  expect(written).toMatchObject({ code: 0 });
  const name = `demo-2026-08-run${closed.runNo}-paypal.csv`;
  expect((await readdir(folder)).toSorted()).toEqual([name, `${name}.manifest.json`]);
  const bytes = await readFile(path.join(folder, name));
  const opened = await openFile(await testEnv.game(), people.preparer, PAYEE_KEY, 1);
  expect(opened.ok && opened.bytes.equals(bytes)).toBe(true);
  const modesOf = async (): Promise<number[]> =>
    await Promise.all([name, `${name}.manifest.json`].map(async (each) => (await stat(path.join(folder, each))).mode & 0o777));
  expect(await modesOf()).toEqual([0o600, 0o600]);
  const sha256 = sha256Of(bytes).toString('hex');
  expect(JSON.parse(await readFile(path.join(folder, `${name}.manifest.json`), 'utf8'))).toMatchObject({
    sha256,
    payments: closed.payableCount,
  });
  expect(JSON.parse(written.out)).toMatchObject({
    failed: 0,
    files: [{ file: name, state: 'handed_over', sha256, payments: closed.payableCount }],
  });
  const audited = await testEnv.pool.query(`select actor from audit where act = 'downloaded a payment file' order by audit_id`);
  expect(audited.rows.map((row) => row['actor'])).toEqual(['command line', people.preparer.email]);
  await chmod(path.join(folder, `${name}.manifest.json`), 0o644);
  expect(await run(['--out', folder])).toMatchObject({ code: 0 });
  expect(await modesOf(), 'an older file that others could read is replaced').toEqual([0o600, 0o600]);
  expect(await run(['--out', folder], null)).toMatchObject({ code: 1, err: expect.stringMatching(/SHAREBOOK_PAYEE_KEY isn’t set/) });
});
