// @module-tag no-retry
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ran, runCli } from '#e2e/support/cli/run-cli.ts';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { chainAudit } from '../audit/chain-audit.ts';

const DAY = ['--from', '2026-10-01T00:00:00Z', '--to', '2026-10-02T00:00:00Z'];
const folder = mkdtempSync(path.join(tmpdir(), 'sharebook-chain-'));
// The tests of this file continue from one another, in this order.
let testEnv: TestEnvironment;

beforeAll(async () => {
  testEnv = await openTestEnvironment();
  await testEnv.pull({ start: '2026-10-01T00:00:00Z', end: '2026-10-02T00:00:00Z' });
  await recordAudit(testEnv.db, { actor: 'command line', act: 'was refused something', subject: 'a thing' });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await testEnv.close();
});

const run = (argv: string[]): Promise<Ran> => runCli(testEnv, argv);

describe('chain-head', () => {
  const saved = path.join(folder, 'heads.json');

  test('prints the newest link of the game and of the audit, and saves them to a file', async () => {
    await chainAudit(testEnv.db);
    const { code, out } = await run(['chain-head', '--json', '--out', saved]);
    const { rows } = await testEnv.pool.query<{ position: number; digest: string }>(
      `select chain_no as position, encode(digest, 'hex') as digest from snapshot order by chain_no desc limit 1`,
    );
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({ heads: [{ game: 'demo', environment: 'production', ...rows[0] }], audit: expect.anything() });
    expect(JSON.parse(readFileSync(saved, 'utf8'))).toEqual(JSON.parse(out));
    expect((await run(['chain-head', '--game', 'demo'])).out).toContain(`demo (production): link ${rows[0]?.position}, ${rows[0]?.digest}`);
  });

  test('verify --head holds while the chain only grows, and exits with 3 when the link is another', async () => {
    expect(await run(['verify', '--head', saved])).toMatchObject({ code: 0 });
    const heads = JSON.parse(readFileSync(saved, 'utf8')) as { heads: { digest: string }[] };
    const other = path.join(folder, 'other.json');
    writeFileSync(other, JSON.stringify({ ...heads, heads: heads.heads.map((head) => ({ ...head, digest: 'ab'.repeat(32) })) }));
    const { code, out } = await run(['verify', '--head', other]);
    expect(code).toBe(3);
    expect(out).toMatch(/link \d+ of the chain: exported_head: expected (ab){32}, found [0-9a-f]{64}/);
  });

  test('verify --head takes the manifest of an exported file too', async () => {
    const file = path.join(folder, 'recipients.csv');
    await run(['export', '--game', 'demo', ...DAY, '--sheet', 'recipients', '--out', file]);
    expect(await run(['verify', '--head', `${file}.manifest.json`])).toMatchObject({ code: 0 });
  });

  test('a head of a game that is no longer stored exits with 3', async () => {
    const gone = path.join(folder, 'gone.json');
    writeFileSync(gone, JSON.stringify({ heads: [{ game: 'gone', environment: 'production', position: 1, digest: 'ab'.repeat(32) }] }));
    expect(await run(['verify', '--head', gone])).toMatchObject({
      code: 3,
      out: expect.stringMatching(/gone \(production\).*no such game/),
    });
  });

  test('a file that is no head exits with 2, one that is missing with 1', async () => {
    const text = path.join(folder, 'text.json');
    writeFileSync(text, 'demo 7');
    expect(await run(['verify', '--head', text])).toMatchObject({ code: 2, err: expect.stringMatching(/isn't the output of chain-head/) });
    expect(await run(['verify', '--head', path.join(folder, 'missing.json')])).toMatchObject({ code: 1 });
  });
});

describe('erase', () => {
  test('erases a recipient once and lists what still names them; an unknown one exits with 1', async () => {
    const args = ['erase', '--game', 'demo', '--reason', 'a request', '--recipient'];
    const { code, out } = await run([...args, '9010', '--json']);
    expect(code).toBe(0);
    const { remaining, ...erased } = JSON.parse(out) as { remaining: { place: string | null; count: number | null; why: string }[] };
    expect(erased).toEqual({ game: 'demo', recipient: 9010, erased: true });
    // The day was pulled in one slice of one page, whose totals are its control totals.
    expect(remaining.map(({ place, count }) => [place, count])).toEqual([
      ['response', 1],
      [null, null],
    ]);
    expect(remaining[0]?.why).toMatch(/chain of snapshots binds their bytes/);
    expect(await run([...args, '9010'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /was erased before[^]*\n- raw responses of windows from 2026-[^]* \(1\): [^]*Ask Invo to erase the person too/,
      ),
    });
    expect(await run([...args, '77'])).toMatchObject({ code: 1, err: expect.stringMatching(/Nothing is stored of player 77/) });
    expect(await run(['verify'])).toMatchObject({ code: 0 });
  });
});
