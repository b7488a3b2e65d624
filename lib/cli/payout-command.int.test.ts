import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ran, runCli } from '#e2e/support/cli/run-cli.ts';
import { seedColleague, seedRefund } from '#e2e/support/db/refund-seed.ts';
import { confirmDetails } from '#e2e/support/payouts/confirm-details.ts';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';

const SEPTEMBER = { start: '2026-09-01T00:00:00Z', end: '2026-10-01T00:00:00Z' };
const OCTOBER = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
let testEnv: TestEnvironment;

beforeAll(async () => {
  testEnv = await openTestEnvironment();
  await testEnv.pull(SEPTEMBER);
  await testEnv.pull(OCTOBER);
  await confirmDetails(testEnv);
});
afterAll(() => testEnv.close());

interface Printed {
  run_no: null;
  state: string;
  content_digest: null;
  snapshot_id: number;
  window: unknown;
  totals: Record<string, string>;
  lines: Line[];
}

interface Line {
  recipient_player_id: number;
  earned: string;
  reversed: string;
  pinned: string;
  due: string;
  payable: string;
  closing: string;
  outcome: string;
  also: string[];
}

const run = (argv: string[]): Promise<Ran> => runCli(testEnv, ['payout', '--game', 'demo', ...argv]);

async function preview(month = '2026-10') {
  const { code, out } = await run(['--month', month, '--preview', '--json']);
  expect(code).toBe(0);
  const printed = JSON.parse(out) as Printed;
  return { ...printed, lineOf: (id: number) => printed.lines.find((line) => line.recipient_player_id === id) };
}

test('a preview has one line for each recipient Invo reported, and ties to the snapshot', async () => {
  const { lines, totals, run_no, state, content_digest, snapshot_id, window } = await preview();
  const snapshot = await testEnv.db
    .selectFrom('snapshot')
    .select(['gross_attributed_usd', 'reversed_attributed_usd', 'net_attributed_usd', 'recipient_count'])
    .where('snapshot_id', '=', snapshot_id)
    .executeTakeFirstOrThrow();
  expect({ run_no, state, content_digest, window }).toEqual({ run_no: null, state: 'preview', content_digest: null, window: OCTOBER });
  expect(lines).toHaveLength(snapshot.recipient_count);
  expect([totals['earned'], totals['reversed'], totals['due']]).toEqual([
    snapshot.gross_attributed_usd,
    snapshot.reversed_attributed_usd,
    snapshot.net_attributed_usd,
  ]);
  expect(Object.values(totals).map(Number).every(Number.isFinite)).toBe(true);
});

test('the reference cases of October come to the outcomes worked out by hand', async () => {
  const { lineOf } = await preview();
  // 1.80 + 2.70 earned.
  expect(lineOf(9001)).toMatchObject({ earned: '4.50', due: '4.50', payable: '0.00', closing: '4.50', outcome: 'below_minimum' });
  // 0.90, and Invo can't find the player.
  expect(lineOf(9008)).toMatchObject({ due: '0.90', outcome: 'unresolved' });
  // 0.90 earned and refunded in three parts.
  expect(lineOf(9012)).toMatchObject({ earned: '0.90', reversed: '0.90', due: '0.00', outcome: 'nothing_due' });
  // A September line refunded in October.
  expect(lineOf(9019)).toMatchObject({ earned: '0.00', outcome: 'negative_balance', payable: '0.00' });
  // 9.50 earned, a tenth of it refunded, and all that is left is held: its base differs from the settled fee.
  expect(lineOf(9003)).toMatchObject({ earned: '9.50', reversed: '0.95', due: '8.55', outcome: 'on_hold', payable: '0.00' });
});

test('a period with an open refund is held until its reversal is reported', async () => {
  const line = await testEnv.db
    .selectFrom('renewal_line')
    .innerJoin('snapshot_slice', 'snapshot_slice.slice_id', 'renewal_line.slice_id')
    .innerJoin('current_window', 'current_window.snapshot_id', 'snapshot_slice.snapshot_id')
    .select(['period_id', 'recipient_player_id', 'attributed_amount_usd'])
    .where('current_window.window_start', '=', OCTOBER.start)
    .where('recipient_player_id', '=', 500_001)
    .orderBy('period_id')
    .executeTakeFirstOrThrow();
  const before = (await preview()).lineOf(500_001);
  const requested_by = await seedColleague(testEnv.db, 'Una');
  await seedRefund(testEnv.db, 1, { requested_by, period_id: line.period_id });
  const after = (await preview()).lineOf(500_001);
  expect([before?.outcome, after?.outcome]).toEqual(['payable', 'payable']);
  expect(Number(before?.payable) - Number(after?.payable)).toBeCloseTo(Number(line.attributed_amount_usd), 1);
  expect(after?.due).toBe(before?.due);
});

test('a coarse reversal that moved to a later month deducts what the earlier month did not', async () => {
  const { rows } = await testEnv.pool.query<{
    period_id: number;
    recipient: number;
    reversed: string;
    attributed: string;
    slice_id: number;
  }>(
    `select period_id, recipient_player_id as recipient, reversed_attributed_usd::text as reversed, originally_attributed_usd::text as attributed, slice_id
     from reversal_line where reversal_basis = 'period_row' and slice_id in (
       select slice_id from snapshot_slice join current_window using (game_id, snapshot_id) where window_start = $1)`,
    [OCTOBER.start],
  );
  const [row] = rows;
  if (!row) throw new Error('October has a coarse reversal');
  // September still has the row as it was before the second refund moved it: half of it.
  await testEnv.pool.query('alter table reversal_line disable trigger user');
  await testEnv.pool.query(
    `insert into reversal_line (game_id, slice_id, period_id, recipient_player_id, subscription_id, paid_at, paid_at_reported, originally_attributed_usd, reversed_attributed_usd, reversal_basis)
     select game_id, (select slice_id from snapshot_slice join current_window using (game_id, snapshot_id) where window_start = $1 limit 1), period_id, recipient_player_id,
       subscription_id, paid_at, paid_at_reported, originally_attributed_usd, reversed_attributed_usd / 2, reversal_basis
     from reversal_line where slice_id = $2 and period_id = $3`,
    [SEPTEMBER.start, row.slice_id, row.period_id],
  );
  const line = (await preview()).lineOf(row.recipient);
  expect(Number(line?.pinned)).toBeCloseTo(Number(row.reversed) / 2, 4);
});

test('without a preview there is no run, a month never pulled is refused, and one that isn’t over is not paid from', async () => {
  expect(await run(['--month', '2026-10'])).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/no payout run of 2026-10/) });
  expect(await run(['--month', '2026-08', '--preview'])).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/not been pulled/) });
  expect(await run(['--month', '2026-08'])).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/not been pulled/) });
  await testEnv.pull({ start: '2026-11-01T00:00:00Z', end: '2026-12-01T00:00:00Z' });
  for (const more of [[], ['--preview']]) {
    const { code, out, err } = await run(['--month', '2026-11', ...more, '--json']);
    expect(code).toBe(3);
    expect(err).toMatch(/^This month isn't over \(snapshot \d+ is open\)\. Pull it again after it ends/);
    expect(JSON.parse(out)).toEqual({ error: { exit_code: 3, message: err.trim() } });
  }
  expect((await run(['--month', '2026-10', '--preview'])).out).toMatch(/^Preview from snapshot \d+: \$[\d,.]+ payable of \$[\d,.]+ due/);
});
