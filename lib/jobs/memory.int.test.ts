// @module-tag proof
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { type RunningWorker, startWorker } from '#e2e/support/start-worker.ts';
import { NOW, OCTOBER, openTestEnvironment } from '#e2e/support/test-environment.ts';
import { findPullJob } from '#lib/evidence/reads/pulls.ts';
import { requestPull } from '../evidence/pull/request-pull.ts';

/** A month, what it holds, and all the worker has for its objects while it pulls it; with half as much, and less, it ends in the middle. */
const { world, renewals, reversals, recipients, heap_mib } = proofSize(
  { world: 'instant:5000', renewals: 5_000, reversals: 0, recipients: 200, heap_mib: 48 },
  { world: 'max-month', renewals: 20_000, reversals: 20_000, recipients: 2_000, heap_mib: 128 },
);

test.skipIf(process.platform !== 'linux')(
  `a worker pulls ${renewals} renewals, ${reversals} reversals and ${recipients} recipients with ${heap_mib} MiB for its objects`,
  async () => {
    const testEnv = await openTestEnvironment({ world });
    const { gameId } = await testEnv.game();
    const requested = await requestPull(testEnv.db, {
      gameId,
      window: OCTOBER,
      isFresh: false,
      requestedBy: 'test',
      now: NOW,
      settleLag_minutes: 15,
    });
    if (!requested.ok) throw new Error(requested.reason);
    const worker = await startWorker(testEnv, { nodeFlags: [`--max-old-space-size=${heap_mib}`] });
    const status = async (): Promise<string> =>
      hasEnded(worker) ? 'the worker is gone' : (await findPullJob(testEnv.db, gameId, requested.pullId)).state;
    await expect.poll(status, { timeout: 200_000, interval: 200 }).not.toMatch(/queued|running/);
    expect(await status()).toBe('done');
    const peak_kib = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${worker.child.pid}/status`, 'utf8'))?.[1]);
    const { rows } = await testEnv.pool.query(
      'select status, renewal_line_count, reversal_event_count, recipient_count from snapshot where window_start = $1',
      [OCTOBER.start],
    );
    expect(rows).toMatchObject([
      { status: 'complete', renewal_line_count: renewals, reversal_event_count: reversals, recipient_count: recipients },
    ]);
    recordFigure(
      'memory of a pull',
      `${renewals} renewals, ${reversals} reversals, ${recipients} recipients with a heap of ${heap_mib} MiB; peak of the process ${Math.round(peak_kib / 1024)} MiB`,
    );
    expect(await worker.end('SIGTERM')).toBe(0);
    await testEnv.close();
  },
);

function hasEnded({ child }: RunningWorker): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
