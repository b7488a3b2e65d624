import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findPullJob } from '../../db/queries/find-pull-job.ts';
import { requestPull } from '../operations/request-pull.ts';
import { NOW, OCTOBER, openGround } from '../operations/testing/open-ground.ts';
import { startWorker } from '../operations/testing/start-worker.ts';

/** What the process may take at its peak while it pulls the largest month there is. */
const PEAK_MAX_KIB = 512 * 1024;

test.skipIf(process.platform !== 'linux')(
  'a worker pulls 20,000 renewals, 20,000 reversals and 2,000 recipients within 512 MiB',
  async () => {
    const ground = await openGround({ world: 'max-month' });
    const { gameId } = await ground.game();
    const asked = await requestPull(ground.db, {
      gameId,
      window: OCTOBER,
      isFresh: false,
      requestedBy: 'test',
      now: NOW,
      settleLag_minutes: 15,
    });
    if (!asked.ok) throw new Error(asked.reason);
    const worker = await startWorker(ground);
    await expect
      .poll(async () => (await findPullJob(ground.db, gameId, asked.pullId)).state, { timeout: 200_000, interval: 200 })
      .toBe('done');
    const peak_kib = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${worker.child.pid}/status`, 'utf8'))?.[1]);
    const { rows } = await ground.pool.query(
      'select standing, renewal_line_count, reversal_event_count, recipient_count from snapshot where window_start = $1',
      [OCTOBER.start],
    );
    expect(rows).toMatchObject([
      { standing: 'complete', renewal_line_count: 20_000, reversal_event_count: 20_000, recipient_count: 2_000 },
    ]);
    process.stdout.write(`peak of the worker: ${Math.round(peak_kib / 1024)} MiB\n`);
    expect(peak_kib).toBeGreaterThan(0);
    expect(peak_kib).toBeLessThan(PEAK_MAX_KIB);
    await worker.end('SIGTERM');
    await ground.close();
  },
);
