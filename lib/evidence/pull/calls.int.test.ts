import { expect, test } from 'vitest';
import { OCTOBER, openGround } from '#lib/testing/open-ground.ts';
import { proofSize } from '#lib/testing/proof.ts';

// Bounds worked out from how each world is laid out: a call shows 100 recipients with 500 lines of each kind. Larger worlds: e2e/bench/pull-calls.ts.
const SMALL = ['distribution:small', 'newest', 1] as const;
const LARGE = ['distribution:one-large', 'newest', 38] as const;

test.each(proofSize([SMALL], [SMALL, LARGE]))(
  '%s, %s first: every line in at most 1.25 times the %i calls any plan needs, and 3',
  async (world, lineOrder, bound) => {
    const ground = await openGround({ world });
    await ground.control('POST', 'game', { lineOrder });
    const { job, statement } = await ground.pull(OCTOBER);
    expect(statement?.standing).toBe('complete');
    expect(statement?.renewalLineCount).toBe(statement?.totals.renewals_with_attribution);
    expect(job.calls).toBe((await ground.calls()).length);
    expect(job.calls).toBeLessThanOrEqual(1.25 * bound + 3);
    await ground.close();
  },
);

test('lines in no order cost no more calls than halving every list would', async () => {
  const ground = await openGround({ world: 'distribution:renewals-39' });
  await ground.control('POST', 'game', { lineOrder: 'shuffled' });
  const { job, statement } = await ground.pull(OCTOBER);
  expect([statement?.standing, statement?.renewalLineCount]).toEqual(['complete', 39 * 512]);
  expect(job.calls).toBeLessThanOrEqual(1.05 * 79);
  await ground.close();
});
