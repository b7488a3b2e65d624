import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ran, runCli } from '#e2e/support/cli/run-cli.ts';
import { closeMonth, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { ACCOUNTS } from '#lib/accounting/rules/journal.ts';
import { setAccounts } from '#lib/accounting/set-accounts.ts';
import type { Actor } from '../core/roles.ts';

let testEnv: TestEnvironment;
let folder: string;
let fiona: Actor;

beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-08');
  folder = await mkdtemp(path.join(tmpdir(), 'journal-'));
  fiona = await seedFinance(testEnv, 'fiona');
});
afterAll(() => testEnv.close());

const run = (argv: string[]): Promise<Ran> => runCli(testEnv, ['journal', '--game', 'demo', '--month', '2026-08', ...argv]);
const entry = (index: number) => ({
  code: `${4000 + index}`,
  name: `Name ${index}`,
  xero_code: `${200 + index}`,
  xero_tax_rate: 'None',
  quickbooks_name: `Q ${index}`,
});
const typedFor = (accounts: readonly string[]) =>
  Object.fromEntries(
    accounts.flatMap((account, index) => Object.entries(entry(index)).map(([field, text]) => [`${account}.${field}`, text])),
  );

test('a month without an approved run has no journal', async () => {
  expect(await run(['--layout', 'xero'])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/written when the run is approved/),
  });
});

test('an account without a mapping stops the file and is named', async () => {
  await closeMonth(testEnv, { preparer: fiona, approver: await seedFinance(testEnv, 'ada') }, '2026-08');
  const missing = ACCOUNTS.filter((account) => account !== 'service_fee');
  const game = await testEnv.game();
  expect(await setAccounts(game, fiona, { seenMapNo: 0, typed: typedFor(missing) })).toMatchObject({ ok: true, mapNo: 1, isChanged: true });
  expect(await run(['--layout', 'quickbooks', '--out', '-'])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/QuickBooks export needs account codes for: Invo service fee\. Set them in Settings → Journal accounts\./),
  });
});

test('the same journals and map are the same bytes, in a file and on stdout, and stderr says what they lack', async () => {
  const game = await testEnv.game();
  expect(await setAccounts(game, fiona, { seenMapNo: 0, typed: typedFor(ACCOUNTS) })).toEqual({ ok: false, reason: 'changed' });
  expect(await setAccounts(game, fiona, { seenMapNo: 1, typed: typedFor(ACCOUNTS) })).toMatchObject({
    ok: true,
    mapNo: 2,
    isChanged: true,
  });
  expect(await setAccounts(game, fiona, { seenMapNo: 2, typed: typedFor(ACCOUNTS) })).toMatchObject({
    ok: true,
    mapNo: 2,
    isChanged: false,
  });
  for (const layout of ['xero', 'quickbooks', 'generic']) {
    const file = path.join(folder, `${layout}.csv`);
    const saved = await run(['--layout', layout, '--out', file, '--json']);
    expect(saved.code).toBe(0);
    expect(JSON.parse(saved.out)).toMatchObject({
      file,
      journals: ['202608-A'],
      map_no: 2,
      notes: expect.arrayContaining([expect.stringMatching(/^Card fees: not read, so they are not in this report\.$/)]),
    });
    expect(saved.err).toMatch(/Card fees: not read/);
    const printed = await run(['--layout', layout, '--out', '-']);
    expect(printed.out).toBe(await readFile(file, 'utf8'));
  }
  const generic = (await run(['--layout', 'generic', '--out', '-'])).out.split('\r\n').slice(1, -1);
  expect(generic.length).toBeGreaterThan(4);
  expect(generic[0]).toMatch(
    /^202608-A,2026-08-31,1,invo_receivable,4000,Name 0,\d+\.\d\d,,"Receivable from Invo, 2026-08, run 1",\d+,2026-08-01T00:00:00Z,/,
  );
});

test('one journal is chosen by its number', async () => {
  const whole = await run(['--layout', 'xero', '--out', '-']);
  expect((await run(['--layout', 'xero', '--journal', '202608-A', '--out', '-'])).out).toBe(whole.out);
  expect(await run(['--layout', 'xero', '--journal', '202608-C'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/no journal with that number/),
  });
});

test('accounts are set by people who may prepare payouts, with each refused entry at its field, and recorded', async () => {
  const game = await testEnv.game();
  const viewer = await seedFinance(testEnv, 'vera');
  await testEnv.pool.query(`update person set roles = '{viewer}' where id = $1`, [viewer.id]);
  expect(await setAccounts(game, viewer, { seenMapNo: 2, typed: {} })).toEqual({ ok: false, reason: 'not_allowed' });
  expect(await setAccounts(game, fiona, { seenMapNo: 2, typed: { 'revenue.name': '=1' } })).toEqual({
    ok: false,
    reason: 'invalid',
    errors: { 'revenue.name': 'formula' },
  });
  const { rows } = await testEnv.pool.query(
    `select actor, subject from audit where act = 'set the accounts of journals' order by audit_id`,
  );
  expect(rows).toEqual([
    { actor: 'fiona@studio.example', subject: 'account map 1' },
    { actor: 'fiona@studio.example', subject: 'account map 2' },
  ]);
  await expect(testEnv.pool.query(`update account_map set accounts = '{}'`)).rejects.toThrow();
});
