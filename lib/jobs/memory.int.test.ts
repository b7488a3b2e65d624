import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findPullJob } from '#db/evidence/reads/pulls.ts';
import { requestPull } from '../evidence/pull/request-pull.ts';
import { type RunningWorker, startWorker } from '../testing/start-worker.ts';
import { NOW, OCTOBER, openTestEnvironment } from '../testing/test-environment.ts';

/** All the worker has for its objects while it pulls the largest month there is; with half as much, and less, it ends in the middle. */
const HEAP_MIB = 128;

test.skipIf(process.platform !== 'linux')(
  `a worker pulls 20,000 renewals, 20,000 reversals and 2,000 recipients with ${HEAP_MIB} MiB for its objects`,
  async () => {
    const testEnv = await openTestEnvironment({ world: 'max-month' });
    const { gameId } = await testEnv.game();
    const asked = await requestPull(testEnv.db, {
      gameId,
      window: OCTOBER,
      isFresh: false,
      requestedBy: 'test',
      now: NOW,
      settleLag_minutes: 15,
    });
    if (!asked.ok) throw new Error(asked.reason);
    const worker = await startWorker(testEnv, { nodeFlags: [`--max-old-space-size=${HEAP_MIB}`] });
    const status = async (): Promise<string> =>
      hasEnded(worker) ? 'the worker is gone' : (await findPullJob(testEnv.db, gameId, asked.pullId)).state;
    await expect.poll(status, { timeout: 200_000, interval: 200 }).not.toMatch(/queued|running/);
    expect(await status()).toBe('done');
    const peak_kib = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${worker.child.pid}/status`, 'utf8'))?.[1]);
    const { rows } = await testEnv.pool.query(
      'select status, renewal_line_count, reversal_event_count, recipient_count from snapshot where window_start = $1',
      [OCTOBER.start],
    );
    expect(rows).toMatchObject([{ status: 'complete', renewal_line_count: 20_000, reversal_event_count: 20_000, recipient_count: 2_000 }]);
    process.stdout.write(`peak of the worker: ${Math.round(peak_kib / 1024)} MiB\n`);
    expect(await worker.end('SIGTERM')).toBe(0);
    await testEnv.close();
  },
);

function hasEnded({ child }: RunningWorker): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
