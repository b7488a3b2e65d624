import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BalanceJobs, counts, jobsIn, listOf, load } from '#e2e/support/balances/balance-jobs.ts';
import { proofSize } from '#e2e/support/proof.ts';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { openBalanceFile } from './balance-file.ts';
import { claimBalanceJob } from './writes/balance-queue.ts';

let testEnv: TestEnvironment;
let jobs: BalanceJobs;
beforeAll(async () => {
  testEnv = await openTestEnvironment({ world: 'wallets:12000' });
  jobs = jobsIn(testEnv);
});
afterAll(() => testEnv.close());
afterEach(async () => {
  await testEnv.control('POST', 'reset');
  await testEnv.control('POST', 'game', { rateLimit: false });
});

describe('all players', () => {
  test.each(proofSize(['gzip'], ['ndjson', 'results', 'list', 'sse', 'trailer', 'heartbeat', 'gzip']))(
    'are read whole from a stream of the format %s',
    async (shape) => {
      await testEnv.control('POST', 'shape', { 'balance-stream': shape });
      const job = await jobs.read({ scope: 'all' });
      expect([job.state, job.isComplete, counts(job), job.reasons]).toEqual(['done', true, [11_999, 0, 0, 0, 0], []]);
    },
    120_000,
  );

  test.each([
    ['stream_cut', 'ndjson'],
    ['stream_cut', 'list'],
    ['stream_mid_record', 'ndjson'],
    ['stream_mid_record', 'list'],
  ])(
    'cut off by %s in the format %s are incomplete, and every record before is stored',
    async (kind, shape) => {
      await testEnv.control('POST', 'shape', { 'balance-stream': shape });
      await testEnv.control('POST', 'faults', [{ kind, records: 700 }]);
      const job = await jobs.read({ scope: 'all' });
      expect(job).toMatchObject({
        state: 'failed',
        isComplete: false,
        foundCount: 700,
        failure: 'The connection closed before Invo had sent everything.',
      });
      const { name, rows, manifest } = await jobs.fileOf(job);
      expect(manifest.counts.not_answered).toBeNull();
      expect(name).toMatch(/\.incomplete\.csv$/);
      expect(rows).toHaveLength(701);
      expect((await testEnv.calls()).filter(({ path }) => path.endsWith('/stream-all'))).toHaveLength(1);
    },
    60_000,
  );

  test('who comes twice counts once, with the later figure', { tags: 'proof' }, async () => {
    await testEnv.control('POST', 'shape', { 'balance-stream': 'twice' });
    const job = await jobs.read({ scope: 'all' });
    expect([job.isComplete, counts(job)]).toEqual([true, [11_999, 0, 0, 0, 1]]);
    expect((await jobs.fileOf(job)).rows[1]).toContain(',Lumens,7.77,0.00,');
  });

  test('in records of one currency each keep all their currencies, however far apart they come', { tags: 'proof' }, async () => {
    await testEnv.control('POST', 'shape', { 'balance-stream': 'flat' });
    const job = await jobs.read({ scope: 'all' });
    expect([job.isComplete, counts(job)]).toEqual([true, [11_999, 0, 0, 0, 0]]);
    const { rows } = await jobs.fileOf(job);
    expect(rows).toHaveLength(1 + 11_999 + 1);
    expect([rows[1], rows[2]]).toEqual([expect.stringContaining(',Lumens,'), expect.stringContaining(',Embers,12.50,')]);
  });

  test.each([
    ['wrong_count', {}, 'Invo counted other records than it sent.'],
    ['unmarked', {}, 'The connection closed before Invo had sent everything.'],
    ['ndjson', { kind: 'stream_stall', records: 300 }, 'Invo stopped sending before the end.'],
  ])('in a stream that is %s are incomplete, although records came', { tags: 'proof' }, async (shape, fault, failure) => {
    await testEnv.control('POST', 'shape', { 'balance-stream': shape });
    if ('kind' in fault) await testEnv.control('POST', 'faults', [fault]);
    const job = await jobs.read({ scope: 'all' }, { streamLimits: { idleMs: 'kind' in fault ? 400 : 30_000 } });
    expect(job).toMatchObject({ state: 'failed', isComplete: false, failure });
    expect(job.foundCount).toBe('kind' in fault ? 300 : 11_999);
  });

  test('past a bound on bytes are an error, and no end', { tags: 'proof' }, async () => {
    const job = await jobs.read({ scope: 'all' }, { streamLimits: { receivedBytes: 100_000 } });
    expect(job).toMatchObject({ state: 'failed', isComplete: false });
    expect(job.foundCount).toBeLessThan(300);
  });

  test('are not read again when the process that read them dies: the file is incomplete', async () => {
    const balanceJobId = await jobs.request({ scope: 'all' });
    const game = await testEnv.game();
    await claimBalanceJob(game.db, 'dies', game.gameId);
    await testEnv.pool.query(`update balance_job set lease_until = clock_now() - interval '1 second'`);
    expect(await jobs.work()).toBe('failed');
    expect(await jobs.find(balanceJobId)).toMatchObject({ isComplete: false, foundCount: 0 });
    expect((await testEnv.calls()).filter(({ path }) => path.endsWith('/stream-all'))).toEqual([]);
  });

  test('have names that no spreadsheet runs as a formula', async () => {
    const job = await jobs.read(listOf([load(1)]));
    await testEnv.pool.query(`update balance_entry set player_name = '=HYPERLINK("http://x.example")' where balance_job_id = $1`, [
      job.balanceJobId,
    ]);
    await testEnv.pool.query(`update balance_held set available_balance = '-45.5' where balance_job_id = $1`, [job.balanceJobId]);
    expect((await jobs.fileOf(job)).rows[1]).toContain(`"'=HYPERLINK(""http://x.example"")",idn_load_000001,311,Lumens,-45.50,`);
    const game = await testEnv.game();
    const file = await openBalanceFile({ db: game.db, files: game.db }, game, { balanceJobId: job.balanceJobId, format: 'xlsx' });
    if (!file.ok) throw new Error(file.reason);
    for await (const _ of file.bytes);
    expect(file.manifest()).toMatchObject({ format: 'xlsx', numbers_as_text: 0, rows: 1 });
  });
});
