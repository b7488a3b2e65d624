// @module-tag no-retry
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Ran, runCli } from '#e2e/support/cli/run-cli.ts';
import { seedColleague, seedRefund } from '#e2e/support/db/refund-seed.ts';
import { seedGame } from '#e2e/support/db/row-page-seed.ts';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';

const DAY = ['--from', '2026-10-01T00:00:00Z', '--to', '2026-10-02T00:00:00Z'];
const GOLDEN = path.resolve(import.meta.dirname, '../../e2e/golden');
const folder = mkdtempSync(path.join(tmpdir(), 'sharebook-cli-'));
// The tests of this file continue from one another, in this order.
let testEnv: TestEnvironment;

beforeAll(async () => {
  testEnv = await openTestEnvironment();
});
beforeEach(() => testEnv.control('DELETE', 'faults'));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await testEnv.close();
});

const run = (argv: string[], changed: Record<string, string | undefined> = {}): Promise<Ran> => runCli(testEnv, argv, changed);

describe('pull', () => {
  test('prints exactly one JSON object of the contract to stdout, and progress to stderr only', async () => {
    const { code, out, err } = await run(['pull', '--game', 'demo', ...DAY, '--json']);
    expect(code).toBe(0);
    expect(out.trim().split('\n')).toHaveLength(1);
    const said = JSON.parse(out);
    expect(Object.keys(said)).toEqual([
      'snapshot_id',
      'window',
      'calls',
      'slices',
      'renewals',
      'reversal_events',
      'recipients',
      'totals',
      'checks',
      'complete',
      'warnings',
      'drift',
    ]);
    expect(said).toMatchObject({
      snapshot_id: 1,
      window: { start: '2026-10-01T00:00:00Z', end: '2026-10-02T00:00:00Z' },
      calls: 1,
      slices: 1,
      renewals: 13,
      reversal_events: 10,
      recipients: 13,
      complete: true,
      warnings: [],
      drift: null,
      totals: {
        renewals_settled: 17,
        renewals_with_attribution: 13,
        gross_attributed_usd: '52.7909',
        reversed_attributed_usd: '27.3155',
        net_attributed_usd: '25.4754',
        settled_gross_usd: '435.0040',
      },
    });
    for (const check of said.checks) expect(Object.keys(check)).toEqual(['name', 'ok', 'expected', 'actual']);
    expect(err).toMatch(/1 of 1 calls/);
  });

  test('a pull of an open month exits with 0 and prints how far it is covered', async () => {
    const { code, out } = await run(['pull', '--game', 'demo', '--month', '2026-11', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      complete: false,
      covered_until: '2026-11-21T11:45:00Z',
      window: { start: '2026-11-01T00:00:00Z', end: '2026-12-01T00:00:00Z' },
    });
  });

  test('a pull that does not reconcile exits with 3 and prints the difference', { tags: 'proof' }, async () => {
    await testEnv.control('POST', 'faults', [{ kind: 'lost_line', times: 2 }]);
    const { code, out } = await run(['pull', '--game', 'demo', ...DAY, '--fresh']);
    expect(code).toBe(3);
    expect(out).toMatch(/doesn't reconcile/);
    expect(out).toMatch(/doesn't match: .* \(renewal_lines_are_counted\): counted by Invo 13, lines found 12 \(-1\); first: recipient \d+/);
    expect(out).toMatch(/not a remittance advice: Invo has paid no recipient/);
    expect((await run(['export', '--game', 'demo', ...DAY, '--sheet', 'recipients', '--out', '-'])).err).toMatch(
      /"complete":true,"reasons":\["a newer pull of this window exists: snapshot \d+, inconsistent/,
    );
  });

  test.each([
    ['Invo refusing the secret', { INVO_GAME_SECRET: 'wrong' }, [], /^Invo refused the game secret.*\(unauthorized\)$/m],
    ['Invo failing', {}, [{ kind: '400', code: 'INVALID_WINDOW' }], /Invo refused the request \(INVALID_WINDOW\)/],
  ])('%s exits with 1 and prints one message', async (_, changed, faults, sentence) => {
    await testEnv.control('POST', 'faults', faults);
    const { code, out, err } = await run(['pull', '--game', 'demo', ...DAY, '--fresh', '--json'], changed);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({ error: { exit_code: 1, message: expect.stringMatching(sentence) as string } });
    expect(err).toMatch(sentence);
  });

  test('a month that has not started exits with 1 and makes no call', async () => {
    const { code, err } = await run(['pull', '--game', 'demo', '--month', '2027-03']);
    expect([code, err]).toEqual([1, expect.stringMatching(/This window isn't settled yet/)]);
  });
});

describe('export', () => {
  test.each(['recipients', 'renewals', 'reversals'])('%s into the current folder, with its manifest beside it', async (sheet) => {
    const before = process.cwd();
    process.chdir(folder);
    const { code, out } = await run(['export', '--game', 'demo', ...DAY, '--sheet', sheet, '--json']).finally(() => process.chdir(before));
    const name = `demo-${sheet}-2026-10-01-2026-10-02.csv`;
    expect(code).toBe(0);
    expect(readFileSync(path.join(folder, name))).toEqual(readFileSync(path.join(GOLDEN, name)));
    const manifest = JSON.parse(readFileSync(path.join(folder, `${name}.manifest.json`), 'utf8'));
    expect(JSON.parse(out)).toEqual({ file: name, manifest });
    expect(readdirSync(folder).filter((file) => file.endsWith('.part'))).toEqual([]);
  });

  test('to stdout prints the sheet and nothing else', async () => {
    const { code, out, err } = await run(['export', '--game', 'demo', ...DAY, '--sheet', 'renewals', '--out', '-']);
    expect(code).toBe(0);
    expect(out).toBe(readFileSync(path.join(GOLDEN, 'demo-renewals-2026-10-01-2026-10-02.csv'), 'utf8'));
    expect(JSON.parse(err.trim().split('\n').at(-1) ?? '')).toMatchObject({ sheet: 'renewals', rows: 13, complete: true });
  });

  test('an open month exits with 3 and writes no file, unless an incomplete file with a name that says so is requested', async () => {
    const args = ['export', '--game', 'demo', '--month', '2026-11', '--sheet', 'recipients'];
    const refused = await run([...args, '--out', path.join(folder, 'november.csv')]);
    expect([refused.code, refused.out]).toEqual([3, '']);
    expect(refused.err).toMatch(/^Nothing was exported: .*\n {2}the window is open: covered until 2026-11-21T11:45:00Z/);
    expect((await run([...args, '--incomplete-ok', '--out', path.join(folder, 'november.csv')])).code).toBe(2);
    expect(readdirSync(folder).filter((file) => file.startsWith('november'))).toEqual([]);
    const out = path.join(folder, 'november.incomplete.csv');
    expect((await run([...args, '--incomplete-ok', '--out', out])).code).toBe(0);
    expect(JSON.parse(readFileSync(`${out}.manifest.json`, 'utf8'))).toMatchObject({
      complete: false,
      reasons: [expect.stringMatching(/the window is open/)],
    });
  });

  test('a window that was never pulled exits with 1', async () => {
    expect(await run(['export', '--game', 'demo', '--month', '2026-01', '--sheet', 'recipients'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/has not been pulled/),
    });
  });

  test('a file that cannot be written exits with 1 and leaves no partial file', async () => {
    const { code, err } = await run([
      'export',
      '--game',
      'demo',
      ...DAY,
      '--sheet',
      'renewals',
      '--out',
      path.join(folder, 'no-such-folder', 'file.csv'),
    ]);
    expect([code, err]).toEqual([1, expect.stringMatching(/no-such-folder/)]);
  });
});

describe('verify', () => {
  test('unchanged evidence exits with 0 and prints the counts', async () => {
    const { code, out } = await run(['verify', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ games: [{ game: 'demo', environment: 'production', violations: [] }] });
  });

  test('a changed amount exits with 3 and prints the row and both sides', { tags: 'proof' }, async () => {
    await testEnv.pool.query('alter table renewal_line disable trigger renewal_line_kept');
    await testEnv.pool.query('update renewal_line set attributed_amount_usd = 0.91 where period_id = 2026100012');
    const { code, out } = await run(['verify', '--game', 'demo']);
    await testEnv.pool.query('update renewal_line set attributed_amount_usd = 0.90 where period_id = 2026100012');
    expect(code).toBe(3);
    expect(out).toMatch(/VIOLATIONS/);
    expect(out).toMatch(
      /slice 1: renewals_of_raw_bytes: expected period_id 2026100012: attributed_amount_usd 0\.90, found attributed_amount_usd 0\.91/,
    );
  });
});

describe('usage', () => {
  test.each([
    [['pull', '--game', 'other', '--month', '2026-10'], /No game "other" is configured. Configured games: demo/],
    [['pull', '--game', 'demo', '--month', '2026-13'], /"2026-13" isn't a month/],
    [['export', '--game', 'demo', '--month', '2026-10', '--sheet', 'wages'], /--sheet is one of/],
    [['export', '--game', 'demo', '--month', '2026-10', '--sheet', 'renewals', '--format', 'pdf'], /--format is csv or xlsx/],
    [['verify', '--game', 'other'], /No game "other" is configured/],
    [['pull', '--game', 'demo'], /Give a window/],
    [['refund'], /no command "refund"/],
    [[], /Give a command/],
  ])('%j exits with 2', async (argv, sentence) => {
    const { code, out, err } = await run(argv);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(sentence);
  });

  test('a usage error with --json has its reason on stdout and the usage of its command on stderr', async () => {
    const { code, out, err } = await run(['pull', '--game', 'demo', '--json']);
    expect([code, JSON.parse(out)]).toEqual([2, { error: { exit_code: 2, message: 'Give a window: --month, or --from and --to.' } }]);
    expect(err).toMatch(/^Give a window: .*\n\nUsage: .* -- pull /);
    expect(err).not.toContain('restore-check');
  });

  test('a bad configuration exits with 2, an unreachable database with 1, and neither prints the secret', async () => {
    expect(await run(['verify'], { INVO_BASE_URL: 'http://invo.example' })).toMatchObject({
      code: 2,
      err: expect.stringMatching(/https address/),
    });
    const away = await run(['verify'], { DATABASE_WORKER_URL: 'postgres://nobody:hidden@127.0.0.1:9/none' });
    expect(away.code).toBe(1);
    expect(away.err).not.toMatch(/hidden|upstream-secret/);
    expect(away.err.trim()).not.toBe('');
  });
});

test('doctor lists what works, and migrate has nothing to apply', async () => {
  const { code, out, err } = await run(['doctor', '--json']);
  expect([code, err]).toEqual([0, '']);
  expect(JSON.parse(out).findings.map((each: { subject: string; ok: boolean }) => [each.subject, each.ok])).toEqual([
    ['database', true],
    ['schema', true],
    ['database logins', true],
    ['email', true],
    ['two-factor authentication', true],
    ['payment details', true],
    ['restore', true],
    ['game demo', true],
    ['webhooks of demo', true],
  ]);
  expect(out).toContain('required for no role; 0 of ');
  expect((await run(['doctor'])).out).toMatch(
    /^warning webhooks of demo: no signing secret is set, so every delivery to \S+\/api\/invo\/demo\/webhook is/m,
  );
  const signed = await run(['doctor'], { INVO_WEBHOOK_SECRET: 'wh-canary' });
  expect(signed.out).toMatch(/^ok {6}webhooks of demo: a signing secret is set; the address is \S+\/api\/invo\/demo\/webhook$/m);
  expect(signed.out).not.toContain('wh-canary');
  expect(await run(['migrate', '--json'])).toMatchObject({ code: 0, out: '{"migrated":true}\n' });
  const wrong = await run(['doctor'], { INVO_GAME_SECRET: 'wrong' });
  expect([wrong.code, wrong.out]).toEqual([1, expect.stringMatching(/missing game demo: .*Invo refused the game secret/)]);
});

test('doctor warns of a login that could change evidence, and not of the logins of db/roles.sql', { tags: 'proof' }, async () => {
  const one = await run(['doctor'], { DATABASE_URL: testEnv.url, DATABASE_WORKER_URL: undefined, DATABASE_MIGRATE_URL: undefined });
  expect([one.code, one.out]).toEqual([
    0,
    expect.stringMatching(
      /^warning database logins: the login of DATABASE_URL owns the tables, so it could change evidence: use .*db\/roles\.sql/m,
    ),
  ]);
  const half = await run(['doctor'], { DATABASE_WORKER_URL: testEnv.logins.migrate });
  expect(half.out).toMatch(/^warning database logins: the login of DATABASE_WORKER_URL owns the tables/m);
  const apart = await run(['doctor']);
  expect([apart.code, apart.out]).toEqual([0, expect.stringMatching(/^ok {6}database logins: neither web nor worker/m)]);
});

test('a changed time zone is refused once something was pulled, and doctor names both', async () => {
  const changed = { INVO_TIME_ZONE: 'Europe/Berlin' };
  const sentence = /^The months of demo are in UTC, but its configuration says Europe\/Berlin\..* Set INVO_TIME_ZONE.* to UTC\.$/m;
  expect(await run(['pull', '--game', 'demo', '--month', '2026-10'], changed)).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(sentence),
  });
  const doctor = await run(['doctor'], changed);
  expect([doctor.code, doctor.out]).toEqual([1, expect.stringMatching(/^missing game demo: The months of demo are in UTC/m)]);
});

test('restore-check pauses refunds and payouts when a person reports a restore, and doctor says so until they are resumed', async () => {
  expect((await run(['restore-check'])).out).toContain('No sign of a restore');
  const { code, out } = await run(['restore-check', '--restored', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ paused: [{ slug: 'demo', environment: 'production', open: [] }] });
  const doctor = await run(['doctor', '--json']);
  expect(doctor.code).toBe(1);
  for (const what of ['refunds', 'payouts']) {
    const message = `the database was restored: ${what} of demo are paused until two approvers resume them`;
    expect(JSON.parse(doctor.out).findings).toContainEqual({ subject: 'restore', ok: false, message });
  }
});

test('doctor names games that are one game at Invo, and open refunds of a game that isn’t configured any more', async () => {
  await testEnv.pool.query('begin; drop index game_of_invo; commit');
  const twin = await seedGame(testEnv.db, 'twin');
  await testEnv.pool.query(`update game set invo_game_id = '41207' where game_id = $1`, [twin]);
  await seedRefund(testEnv.db, twin, { requested_by: await seedColleague(testEnv.db, 'Una') });
  const { code, out } = await run(['doctor']);
  await testEnv.pool.query('update game set invo_game_id = null where game_id = $1', [twin]);
  expect(code).toBe(1);
  expect(out).toContain('missing game demo: shares one game of Invo with twin: request no refunds there, and keep one of them\n');
  expect(out).toContain("missing game twin: isn't configured any more and has 1 open refund that nothing follows up: configure it again\n");
});
