import { expect, test } from 'vitest';
import { proofSize } from '#e2e/support/proof.ts';
import { OCTOBER, openTestEnvironment } from '#e2e/support/test-environment.ts';

// Bounds worked out from how each world is laid out: a call shows 100 recipients with 500 lines of each kind. Larger worlds: e2e/bench/pull-calls.ts.
const SMALL = ['distribution:small', 'newest', 1] as const;
const LARGE = ['distribution:one-large', 'newest', 38] as const;

test.each(proofSize([SMALL], [SMALL, LARGE]))(
  '%s, %s first: every line in at most 1.25 times the %i calls any plan needs, and 3',
  async (world, lineOrder, bound) => {
    const testEnv = await openTestEnvironment({ world });
    await testEnv.control('POST', 'game', { lineOrder });
    const { job, snapshot } = await testEnv.pull(OCTOBER);
    expect(snapshot?.status).toBe('complete');
    expect(snapshot?.renewalLineCount).toBe(snapshot?.totals.renewals_with_attribution);
    expect(job.calls).toBe((await testEnv.calls()).length);
    expect(job.calls).toBeLessThanOrEqual(1.25 * bound + 3);
    await testEnv.close();
  },
);

test('lines in no order cost no more calls than halving every list would', { tags: ['proof'] }, async () => {
  const testEnv = await openTestEnvironment({ world: 'distribution:renewals-39' });
  await testEnv.control('POST', 'game', { lineOrder: 'shuffled' });
  const { job, snapshot } = await testEnv.pull(OCTOBER);
  expect([snapshot?.status, snapshot?.renewalLineCount]).toEqual(['complete', 39 * 512]);
  expect(job.calls).toBeLessThanOrEqual(1.05 * 79);
  await testEnv.close();
});
