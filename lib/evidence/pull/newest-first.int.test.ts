import { expect, test } from 'vitest';
import { proofSize } from '#e2e/support/proof.ts';
import { openTestEnvironment } from '#e2e/support/test-environment.ts';
import { listMonths, monthWindow } from '#lib/core/month.ts';

// October needs two answers for its 900 lines of one recipient, and one call for each of the six subscriptions that share a full instant.
const OCTOBER_BOUND = 2 + 6;

const AROUND_OCTOBERS = ['2026-11', '2026-10', '2026-09', '2025-12', '2025-11', '2025-10'];

test('months of the demo world reconcile within their bound of calls when the newest month is pulled first', {
  tags: ['proof'],
}, async () => {
  const testEnv = await openTestEnvironment({ world: 'demo' });
  const octobers: number[] = [];
  for (const month of proofSize(AROUND_OCTOBERS, listMonths('2025-10', '2026-11').toReversed())) {
    const { snapshot, job } = await testEnv.pull(monthWindow(month, 'UTC'));
    expect([month, snapshot?.checks.filter((check) => !check.ok).map((check) => check.name)]).toEqual([month, []]);
    if (month.endsWith('-10')) octobers.push(job.calls);
  }
  expect(octobers).toHaveLength(2);
  expect(Math.max(...octobers)).toBeLessThanOrEqual(1.25 * OCTOBER_BOUND + 3);
  const again = await testEnv.pull(monthWindow('2025-10', 'UTC'), { isFresh: true });
  expect([again.snapshot?.status, again.job.calls]).toEqual(['complete', (octobers[1] ?? 0) - 1]);
  await testEnv.close();
});
