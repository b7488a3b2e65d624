import { afterAll, beforeEach, expect, test } from 'vitest';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { REPORT_REFUSALS } from '../pages/refusals.ts';

const DAY = { start: '2026-10-01T00:00:00Z', end: '2026-10-02T00:00:00Z' };
const testEnv: TestEnvironment = await openTestEnvironment();
beforeEach(() => testEnv.control('DELETE', 'faults'));
afterAll(() => testEnv.close());

test.each(REPORT_REFUSALS)(
  'a pull that Invo refuses with $code fails and stores the sentence that its page shows',
  async ({ status, code, facts, says }) => {
    await testEnv.control('POST', 'faults', [{ kind: 'refuse', match: { route: 'attribution' }, status, code, facts, times: 100 }]);
    const { run, job, snapshot } = await testEnv.pull(DAY, { isFresh: true });
    expect(run).toMatchObject({ ended: 'failed' });
    expect(job).toMatchObject({ state: 'failed', snapshotId: null });
    expect(job.failure?.sentence).toMatch(says);
    expect(snapshot).toBeNull();
  },
);
