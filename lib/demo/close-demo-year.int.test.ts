// @module-tag no-retry
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cutEverywhere } from '#e2e/support/db/cut-statements.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { listMonths, monthWindow } from '../core/month.ts';
import { Findings } from '../evidence/rules/findings.ts';
import { ensureDemoDetails } from '../payees/ensure-demo-details.ts';
import { findDemoReportOfRun } from '../payments/find-demo-report.ts';
import { verifyPayments } from '../payments/verify-payments.ts';
import { findClose } from '../payouts/find-close.ts';
import { listRuns } from '../payouts/reads/find-run.ts';
import { progressOf } from '../payouts/rules/run-content.ts';
import { verifyRuns } from '../payouts/verify-runs.ts';
import { ensureDemoPeople } from '../people/manage-people.ts';
import { type DemoYear, takeYearStep, type YearStep } from './close-demo-year.ts';
import { openDemoPeople } from './open-demo-people.ts';

let testEnv: TestEnvironment;
let year: DemoYear;

beforeEach(async () => {
  testEnv = await openTestEnvironment();
  await ensureDemoPeople(testEnv.db, { isSimulated: true });
  const game = { ...(await testEnv.game()), isSimulated: true };
  await ensureDemoDetails(testEnv.db, game, PAYEE_KEY, { isSimulated: true });
  const people = await openDemoPeople(testEnv.db, { now: game.now, authSecret: 'unused' });
  if (people === null) throw new Error('no demo people');
  year = { game, config: testEnv.config, key: PAYEE_KEY, people };
});
afterEach(() => testEnv.close());

async function pull(...months: string[]): Promise<void> {
  for (const month of months) await testEnv.pull(monthWindow(month, 'UTC'));
}

/** Runs the pulls that a step requested. False: none was. */
async function runRequestedPulls(): Promise<boolean> {
  const { rows } = await testEnv.pool.query<{ start: string; end: string }>(
    `select to_char(window_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as start, to_char(window_end at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as end
     from pull where state = 'queued'`,
  );
  for (const window of rows) await testEnv.pull(window);
  return rows.length > 0;
}

/** Takes steps until none is left, or one waits for a month that isn't pulled. Returns the last one. */
async function takeSteps(): Promise<YearStep> {
  for (;;) {
    const step = await takeYearStep(year);
    if (step.outcome === 'waiting' ? !(await runRequestedPulls()) : step.outcome !== 'taken') return step;
    if (step.outcome === 'taken') expect(step.because).toBeUndefined();
  }
}

async function listProgress(): Promise<string[]> {
  const runs = await listRuns(testEnv.db, year.game.gameId);
  return runs.toReversed().map((run) => `${run.window.start.slice(0, 7)} ${progressOf(run)}`);
}

async function countAudit(): Promise<number> {
  const { rows } = await testEnv.pool.query<{ count: number }>(`select count(*)::int as count from audit where act <> 'signed in'`);
  return rows[0]?.count ?? 0;
}

test('the demo people close and pay the first month of their year, and wait for the next one', { tags: 'proof' }, async () => {
  await pull('2025-10');
  expect(await takeSteps()).toEqual({ outcome: 'waiting' });
  expect(await listProgress()).toEqual(['2025-10 closed']);
  const [run] = await listRuns(testEnv.db, year.game.gameId);
  expect([run?.draftedBy.name, run?.submittedBy?.name, run?.approvals.map(({ by }) => by.name)]).toEqual([
    'Fiona Hale',
    'Fiona Hale',
    ['Ada Moreau'],
  ]);
  const { rows: paid } = await testEnv.pool.query(
    `select state, occurred_on = (b.handed_over_at at time zone 'UTC')::date as "isOfHandOver" from payout_item i join payment_confirmation c using (game_id, run_id, item_no, state)
       join payout_batch b using (game_id, batch_no) group by 1, 2`,
  );
  expect(paid).toEqual([{ state: 'paid', isOfHandOver: true }]);
  expect((await testEnv.pool.query(`select 1 from statement_job`)).rowCount).toBe(1);
  const before = await countAudit();
  expect(await takeSteps()).toEqual({ outcome: 'waiting' });
  expect(await countAudit()).toBe(before);
});

test('data that is not simulated, and an Invo elsewhere, are refused before anything is read', async () => {
  await expect(takeYearStep({ ...year, game: { ...year.game, isSimulated: false } })).rejects.toThrow(/simulated database only/);
  const config = { ...year.config, baseUrl: 'https://api.invo.example' };
  await expect(takeYearStep({ ...year, config })).rejects.toThrow(/simulated Invo only/);
  await expect(findDemoReportOfRun({ ...year.game, isSimulated: false }, { runId: 1, runNo: 1 })).rejects.toThrow(/simulated data only/);
});

test('a year is closed once, whatever statement a killed process had reached, and its last month is left with what people decide', {
  tags: 'proof',
  timeout: 600_000,
}, async () => {
  await pull(...listMonths('2025-10', '2026-10'));
  const { gameId } = year.game;
  let isFirst = true;
  const whole = async (): Promise<void> => {
    const findings = new Findings();
    await verifyRuns(testEnv.db, gameId, findings);
    expect(findings.violations).toEqual([]);
    await runRequestedPulls();
    isFirst = !(await listProgress()).includes('2025-10 closed');
  };
  // The first month is cut at every ninth statement of each of its steps, the others run through.
  while (isFirst)
    await cutEverywhere({ pool: testEnv.pool, every: 9 }, (db) => takeYearStep({ ...year, game: { ...year.game, db } }), whole);
  expect(await takeSteps()).toEqual({ outcome: 'finished' });
  const months = listMonths('2025-10', '2026-09');
  expect(await listProgress()).toEqual(months.map((month) => `${month} ${month === '2026-09' ? 'exported' : 'closed'}`));
  const { rows: open } = await testEnv.pool.query(`select problem from payment_report_row where decision is null`);
  expect(open).toEqual([{ problem: 'differs' }]);
  const { rows: states } = await testEnv.pool.query(
    `select i.state, count(*)::int as count from payout_item i join payout_run run using (game_id, run_id) where run.run_no = 12 and i.state <> 'paid' group by i.state order by 1`,
  );
  expect(states).toEqual([
    { state: 'returned', count: 1 },
    { state: 'sent', count: 1 },
  ]);
  const { rows: details } = await testEnv.pool.query(
    `select recipient_player_id::text as id, detail_no from payee_detail where confirmed_at is null and withdrawn_at is null order by 1`,
  );
  expect(details).toEqual([
    { id: '500003', detail_no: 2 },
    { id: '800070', detail_no: 1 },
  ]);
  const october = await findClose(year.game, '2026-10');
  expect(october.kind).toBe('preview');
  const findings = new Findings();
  await verifyRuns(testEnv.db, gameId, findings);
  await verifyPayments(testEnv.db, gameId, PAYEE_KEY, findings);
  expect(findings.violations).toEqual([]);
  const before = await countAudit();
  // What Exceptions list of the year.
  const { rows: acts } = await testEnv.pool.query(
    `select act from audit where act in ('placed a hold', 'released a hold') order by audit_id`,
  );
  expect(acts).toEqual([{ act: 'placed a hold' }, { act: 'released a hold' }]);
  expect(await takeSteps()).toEqual({ outcome: 'finished' });
  expect(await countAudit()).toBe(before);
});
