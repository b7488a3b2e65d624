import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '#e2e/support/cli/run-cli.ts';
import { answerChecks, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { approveRun } from '../payouts/decide-run.ts';
import { draftRun } from '../payouts/draft-run.ts';
import { submitRun } from '../payouts/submit-run.ts';

let testEnv: TestEnvironment;

beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-10');
});
afterAll(() => testEnv.close());

const close = async () => {
  const { code, out } = await runCli(testEnv, ['close-check', '--game', 'demo', '--month', '2026-10', '--json']);
  return {
    code,
    ...(JSON.parse(out) as { run_no: number | null; ready: boolean; items: { key: string; group: string; answered: boolean }[] }),
  };
};

test('the close of a month is checked before its run, while items are open, when it is ready and after submission', async () => {
  const game = await testEnv.game();
  const [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
  const before = await close();
  expect(before).toMatchObject({ code: 3, run_no: null, ready: false });
  expect(before.items).toContainEqual(expect.objectContaining({ key: 'spend_order_not_found', group: 'blocks', answered: false }));
  expect(before.items).toContainEqual(expect.objectContaining({ key: 'base_mismatch', group: 'note', held_usd: '8.55' }));

  const drafted = await draftRun(game, fiona, '2026-10');
  if (!drafted.ok) throw new Error(drafted.reason);
  expect(await close()).toMatchObject({ code: 3, run_no: 1, ready: false });
  await answerChecks(testEnv, fiona, drafted.run);
  const ready = await close();
  expect(ready).toMatchObject({ code: 0, run_no: 1, ready: true });
  expect(ready.items).toContainEqual(expect.objectContaining({ key: 'spend_order_not_found', group: 'blocks', answered: true }));
  // The items are those of the preview: a draft stores what the preview showed.
  expect(ready.items.map(({ key }) => key)).toEqual(before.items.map(({ key }) => key));

  const submitted = await submitRun(game, fiona, drafted.run.runId, drafted.run.draftDigest ?? '');
  if (!submitted.ok) throw new Error(submitted.reason);
  expect(await close()).toMatchObject({ code: 3, ready: false });
  await approveRun(game, ada, drafted.run.runId, submitted.run.contentDigest ?? '');

  const { code, out } = await runCli(testEnv, ['payout', '--game', 'demo', '--month', '2026-10', '--json']);
  const run = JSON.parse(out) as {
    run_no: number;
    state: string;
    content_digest: string;
    lines: { closing: string }[];
    totals: { payable: string };
  };
  expect({ code, ...run, lines: run.lines.length }).toMatchObject({
    code: 0,
    run_no: 1,
    state: 'approved',
    content_digest: submitted.run.contentDigest,
    lines: submitted.run.lineCount,
    totals: { payable: submitted.run.totals.payable },
  });
  const plain = await runCli(testEnv, ['close-check', '--game', 'demo', '--month', '2026-10']);
  expect(plain).toMatchObject({ code: 3, out: expect.stringMatching(/^Run 1 \(approved\): not ready to submit\n/) });
});

test('a month that was never pulled and a month that is missing are refused', async () => {
  expect(await runCli(testEnv, ['close-check', '--game', 'demo', '--month', '2026-07'])).toMatchObject({ code: 1, out: '' });
  expect(await runCli(testEnv, ['close-check', '--game', 'demo'])).toMatchObject({ code: 2, out: '' });
});
