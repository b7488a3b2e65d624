import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '#e2e/support/cli/run-cli.ts';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';

let testEnv: TestEnvironment;
let folder: string;
beforeAll(async () => {
  testEnv = await openTestEnvironment({ world: 'wallets:60' });
  folder = mkdtempSync(path.join(tmpdir(), 'balances-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await testEnv.close();
});

const file = (name: string, text?: string): string => {
  const full = path.join(folder, name);
  if (text !== undefined) writeFileSync(full, text);
  return full;
};

test('a list becomes a file and its manifest', async () => {
  const list = file('list.csv', 'player_email\nload-000002@players.example\nnobody@players.example\n');
  const ran = await runCli(testEnv, ['balances', '--game', 'demo', '--in', list, '--out', file('two.csv'), '--json']);
  expect([ran.code, ran.err]).toEqual([0, '']);
  const { manifest } = JSON.parse(ran.out) as { manifest: { counts: object; complete: boolean } };
  expect(manifest).toMatchObject({ sheet: 'balances', scope: 'some', rows: 2, complete: true, counts: { found: 1, unknown: 1 } });
  expect(JSON.parse(readFileSync(file('two.csv.manifest.json'), 'utf8'))).toEqual(manifest);
  expect(readFileSync(file('two.csv'), 'utf8').split('\r\n')).toHaveLength(4);
});

test('all players that are cut off become a file that says incomplete in its name, and exit 3', async () => {
  await testEnv.control('POST', 'faults', [{ kind: 'stream_mid_record', records: 40 }]);
  const ran = await runCli(testEnv, ['balances', '--game', 'demo', '--all', '--out', file('all.csv')]);
  expect(ran.code).toBe(3);
  expect(ran.out).toContain('all.incomplete.csv: 40 rows, 40 found');
  expect(readdirSync(folder).filter((name) => name.startsWith('all'))).toEqual(['all.incomplete.csv', 'all.incomplete.csv.manifest.json']);
});

test.each([
  [['--in', 'nowhere.csv'], 'There is no file nowhere.csv.'],
  [['--in', 'x', '--all'], "--in and --all can't be combined"],
  [[], 'Give the emails with --in FILE, or --all'],
  [['--all', '--format', 'pdf'], 'There is no format "pdf"'],
])('%j is a wrong use', async (more, sentence) => {
  const ran = await runCli(testEnv, ['balances', '--game', 'demo', ...more]);
  expect([ran.code, ran.out]).toEqual([2, '']);
  expect(ran.err).toContain(sentence);
});

test('lines that repeat an email are named on stderr and counted in the manifest', async () => {
  const list = file('twice.csv', 'load-000002@players.example\nload-000003@players.example\nLOAD-000002@players.example\n');
  const ran = await runCli(testEnv, ['balances', '--game', 'demo', '--in', list, '--out', file('twice.out.csv'), '--json']);
  expect([ran.code, ran.err]).toEqual([
    0,
    'Note: 3 lines with 2 emails. Line 3 repeats an earlier email, which is read once and listed on each of its lines.\n',
  ]);
  expect(JSON.parse(ran.out)).toMatchObject({ manifest: { rows: 3, counts: { lines: 3, lines_repeated: 1, addresses: 2, found: 2 } } });
});

test('a list with lines that are no emails, or hold a second one, is refused by their numbers, and nothing is requested', async () => {
  await testEnv.forgetCalls();
  const two = await runCli(testEnv, ['balances', '--game', 'demo', '--in', '-'], {}, 'load-000002@players.example,nobody@players.example');
  expect([two.code, two.out]).toEqual([2, '']);
  expect(two.err).toContain('Line 1 has a second email in a column without a heading.');
  const ran = await runCli(testEnv, ['balances', '--game', 'demo', '--in', file('bad.csv', 'load-000002@players.example\nnobody\n')]);
  expect([ran.code, ran.out]).toEqual([2, '']);
  expect(ran.err).toContain('Line 2 isn’t an email.');
  expect(await testEnv.calls()).toEqual([]);
});
