// @module-tag proof
// @module-tag no-retry
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeMonth, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { openPulledEnvironment, SECRET, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { Run } from '#lib/payouts/reads/find-run.ts';
import { claimStatementJob } from '#lib/payouts/writes/store-statements.ts';
import { readConfig } from '../config.ts';
import { requestStatements } from '../payouts/draw-statements.ts';
import { createHandlers } from './handlers.ts';

let testEnv: TestEnvironment;
let run: Run;

beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-10');
  run = await closeMonth(
    testEnv,
    { preparer: await seedFinance(testEnv, 'fiona'), approver: await seedFinance(testEnv, 'ada') },
    '2026-10',
  );
});
afterAll(() => testEnv.close());

/** How many jobs wait; none does afterwards. */
async function takeWoken(): Promise<number | null> {
  const { rowCount } = await testEnv.pool.query(
    `delete from pgboss.job_common where name = 'statements' and state = 'created' and start_after <= clock_now()`,
  );
  return rowCount;
}

test('a request wakes the worker, which draws every statement; a job whose process fell silent is found by the tick', async () => {
  const env = { DATABASE_URL: testEnv.url, INVO_GAME: 'demo', INVO_BASE_URL: testEnv.upstream.url, INVO_GAME_SECRET: SECRET };
  const logged: Record<string, unknown>[] = [];
  const handlers = createHandlers(readConfig({ ...env, INVO_GAME_NAME: 'Demo' }), {
    open: () => testEnv.game(),
    db: testEnv.db,
    owner: 'test',
    signal: new AbortController().signal,
    log: (event, fields) => logged.push({ event, ...fields }),
  });
  await requestStatements(await testEnv.game(), run.runNo, 'fiona@studio.example');
  expect(await takeWoken()).toBe(1);
  expect(await claimStatementJob(testEnv.db, 'falls silent', run.gameId)).toMatchObject({ runId: run.runId, attemptCount: 1 });
  await handlers.tick.run(null);
  expect(await takeWoken()).toBe(0);
  await testEnv.pool.query(`update statement_job set lease_until = clock_now()`);
  await handlers.tick.run(null);
  expect(await takeWoken()).toBe(1);
  await handlers.statements.run(run.gameId);
  expect(logged).toMatchObject([{ event: 'statements', outcome: 'done' }]);
  const { rows } = await testEnv.pool.query('select count(*) as count from recipient_statement');
  expect(rows).toEqual([{ count: run.lineCount }]);
});
