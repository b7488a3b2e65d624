// @module-tag no-retry
// @module-tag proof
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BalanceJobs, counts, jobsIn, listOf, loads } from '#e2e/support/balances/balance-jobs.ts';
import { startWorker } from '#e2e/support/start-worker.ts';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { stopBalances } from './request-balances.ts';

let testEnv: TestEnvironment;
let jobs: BalanceJobs;
beforeAll(async () => {
  testEnv = await openTestEnvironment({ world: 'wallets:12000' });
  jobs = jobsIn(testEnv);
});
afterAll(() => testEnv.close());
afterEach(async () => {
  await testEnv.control('POST', 'reset');
});

/** A second batch of ten after one of 5,000; address 10,000 is unknown. */
const LIST = listOf(loads(4_995, 10_004));
/** Records that come before the stream stalls: whole parts of 1,000, so that each is stored. */
const STREAMED = 3_000;
const PATIENT = { timeout: 60_000 };

const stateOf = async (balanceJobId: number): Promise<string> => (await jobs.find(balanceJobId)).state;
const streamCalls = async (): Promise<number> => (await testEnv.calls()).filter(({ path }) => path.endsWith('/stream-all')).length;
/** The time until another worker may take over, passed at once. */
const endLease = () => testEnv.pool.query(`update balance_job set lease_until = clock_now() - interval '1 second' where state = 'running'`);

describe('a worker that reads a list', () => {
  test.each([
    ['SIGKILL', 'SIGKILL', 'running'],
    ['SIGTERM', 0, 'queued'],
  ] as const)(
    'ended by %s between two batches leaves the rest to the next one, and each address has one outcome',
    async (signal, exit, left) => {
      await testEnv.control('POST', 'faults', [
        { kind: 'batch_drop', match: { route: 'balance-batch' } },
        { kind: 'hold', match: { route: 'balance-batch' } },
      ]);
      const balanceJobId = await jobs.request(LIST);
      const worker = await startWorker(testEnv);
      await expect.poll(() => testEnv.heldCount(), PATIENT).toBe(1);
      expect(await worker.end(signal)).toBe(exit);
      expect(counts(await jobs.find(balanceJobId))).toEqual([4_999, 0, 1, 0, 0]);
      expect(await stateOf(balanceJobId)).toBe(left);
      await testEnv.control('DELETE', 'faults');
      await endLease();
      expect(await jobs.work({}, 'the next worker')).toBe('done');
      const job = await jobs.find(balanceJobId);
      expect([job.isComplete, counts(job)]).toEqual([false, [5_008, 1, 1, 0, 0]]);
      expect(await jobs.batchCalls(), 'the first batch, the one cut off, and the rest').toBe(3);
      const { name, rows } = await jobs.fileOf(job);
      expect(name).toMatch(/\.incomplete\.csv$/);
      expect(rows).toHaveLength(1 + 5_010);
      const outcomes = rows.slice(1).map((row) => row.split(',').slice(4, 6).join());
      expect([...new Set(outcomes)].toSorted()).toEqual([',no_answer', 'false,unknown_player', 'true,']);
    },
    120_000,
  );
});

describe('a worker that reads all players', () => {
  test.each([
    ['SIGKILL', 'SIGKILL', 'running'],
    ['SIGTERM', 0, 'failed'],
  ] as const)(
    'ended by %s leaves what was received, the file’s name says incomplete, and no second stream is opened',
    async (signal, exit, left) => {
      await testEnv.control('POST', 'faults', [{ kind: 'stream_stall', records: STREAMED }]);
      const balanceJobId = await jobs.request({ scope: 'all' });
      const worker = await startWorker(testEnv);
      await expect.poll(async () => (await jobs.find(balanceJobId)).foundCount, PATIENT).toBe(STREAMED);
      expect(await worker.end(signal)).toBe(exit);
      expect(await stateOf(balanceJobId)).toBe(left);
      await endLease();
      if (left === 'running') expect(await jobs.work({}, 'the next worker')).toBe('failed');
      const job = await jobs.find(balanceJobId);
      expect(job).toMatchObject({ isComplete: false, foundCount: STREAMED });
      expect(job.failure).toBe('The process that read the stream ended. A stream can’t be continued. Read all balances again.');
      const { name, rows, manifest } = await jobs.fileOf(job);
      expect([name.endsWith('.incomplete.csv'), rows.length, manifest.complete]).toEqual([true, 1 + STREAMED, false]);
      expect(await streamCalls()).toBe(1);
    },
    120_000,
  );

  test('stopped by a person leaves what was received; the next file is read from the start', {
    tags: ['proof'],
    timeout: 120_000,
  }, async () => {
    await testEnv.control('POST', 'faults', [{ kind: 'stream_stall', records: STREAMED }]);
    const balanceJobId = await jobs.request({ scope: 'all' });
    const worker = await startWorker(testEnv);
    await expect.poll(async () => (await jobs.find(balanceJobId)).foundCount, PATIENT).toBe(STREAMED);
    expect(await stopBalances(await testEnv.game(), balanceJobId, 'fiona@studio.example')).toBe(true);
    await expect.poll(() => stateOf(balanceJobId), PATIENT).toBe('stopped');
    const stopped = await jobs.find(balanceJobId);
    expect(stopped).toMatchObject({ isComplete: false, foundCount: STREAMED, reasons: ['Stopped before it finished.'] });
    expect((await jobs.fileOf(stopped)).name).toMatch(/\.incomplete\.csv$/);
    const again = await jobs.request({ scope: 'all' });
    await expect.poll(() => stateOf(again), PATIENT).toBe('done');
    expect(await worker.end('SIGTERM')).toBe(0);
    expect(await jobs.find(again)).toMatchObject({ isComplete: true, foundCount: 11_999 });
    expect(await streamCalls()).toBe(2);
  });
});
