// @module-tag no-retry
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ran, runCli } from '#e2e/support/cli/run-cli.ts';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';

// The tests of this file continue from one another, in this order.
let testEnv: TestEnvironment;
beforeAll(async () => {
  testEnv = await openTestEnvironment();
  await run(['pull', '--game', 'demo', '--from', '2026-10-01T00:00:00Z', '--to', '2026-10-02T00:00:00Z']);
});
afterAll(() => testEnv.close());

const run = (argv: string[]): Promise<Ran> => runCli(testEnv, argv);
const NEXT_DAY = ['--game', 'demo', '--from', '2026-10-02T00:00:00Z', '--to', '2026-10-03T00:00:00Z'];
const exported = (more: string[] = []): Promise<Ran> => run(['export', ...NEXT_DAY, '--sheet', 'recipients', '--out', '-', ...more]);
let before: { snapshot_id: number; totals: { net_attributed_usd: string } };
let beforeSheet: Ran;

test('a pull exits with 0, prints what changed on stderr and states it in the JSON', async () => {
  before = JSON.parse((await run(['pull', ...NEXT_DAY, '--json'])).out);
  beforeSheet = await exported();
  const { rows } = await testEnv.pool.query(`select period_id, attributed_amount_usd from renewal_line
    where paid_at >= '2026-10-02T00:00:00Z' and paid_at < '2026-10-02T12:00:00Z' and refunded_at is null order by period_id limit 1`);
  const { period_id, attributed_amount_usd: amount } = rows[0];
  await testEnv.control('POST', 'refunds', { period_id, refunded_at: '2026-10-02T20:00:00Z' });
  const { code, out, err } = await run(['pull', ...NEXT_DAY, '--json']);
  expect(code).toBe(0);
  const expected = {
    from_snapshot: before.snapshot_id,
    lines_added: 1,
    lines_removed: 0,
    lines_changed: 0,
    net_change_usd: `-${amount}`,
  };
  expect(JSON.parse(out)).toMatchObject({ complete: true, drift: expected });
  expect(Object.keys(JSON.parse(out).drift)).toEqual(Object.keys(expected));
  expect(err).toContain(
    `Invo's figures changed since snapshot ${before.snapshot_id}: net attributed -${amount} USD; 1 line added, 0 removed, 0 changed.`,
  );
});

test('a pull that finds the same figures again still states what they replaced', async () => {
  const { code, out, err } = await run(['pull', ...NEXT_DAY, '--json']);
  expect([code, JSON.parse(out).drift?.from_snapshot]).toEqual([0, before.snapshot_id]);
  expect(err).toMatch(/figures changed since snapshot/);
});

test('an export names the snapshot it replaces, and the earlier one is exported byte for byte by its number', async () => {
  const after = await exported();
  expect([after.code, after.out === beforeSheet.out]).toEqual([0, false]);
  expect(JSON.parse(after.err.split('\n')[0] ?? '')).toMatchObject({ complete: true, replaces_snapshot: before.snapshot_id });
  const earlier = await exported(['--snapshot', String(before.snapshot_id)]);
  expect([earlier.code, earlier.out]).toEqual([0, beforeSheet.out]);
  expect(JSON.parse(earlier.err.split('\n')[0] ?? '')).toMatchObject({
    snapshot_id: before.snapshot_id,
    replaces_snapshot: null,
    reasons: [expect.stringMatching(/a newer pull of this window exists: snapshot \d+, complete/)],
  });
});

test('a snapshot of another window exits with 1, and what is no number with 2', async () => {
  expect(await exported(['--snapshot', '1'])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/snapshot 1 isn't one of this window/),
  });
  expect(await exported(['--snapshot', 'first'])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/isn't the number of a snapshot/),
  });
});
