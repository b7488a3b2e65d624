import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BalanceJobs, counts, jobsIn, listOf, load, loads } from '#e2e/support/balances/balance-jobs.ts';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { eraseRecipient } from '#lib/evidence/writes/erasures.ts';
import { runBalanceJob } from './run-balance-job.ts';
import { claimBalanceJob } from './writes/balance-queue.ts';

let testEnv: TestEnvironment;
let jobs: BalanceJobs;
beforeAll(async () => {
  testEnv = await openTestEnvironment({ world: 'wallets:12000' });
  jobs = jobsIn(testEnv);
  await testEnv.control('POST', 'game', { rateLimit: false });
});
afterAll(() => testEnv.close());

const erase = async (playerId: number): Promise<boolean | null> => {
  const { db, gameId } = await testEnv.game();
  return await eraseRecipient(db, { gameId, playerId, by: 'command line', reason: 'a request' });
};
/** A job's rows without their time, from the line on. */
const rowsOf = async (balanceJobId: number): Promise<string[]> => {
  const { rows } = await jobs.fileOf(await jobs.find(balanceJobId));
  return rows.slice(1).map((row) => row.split(',').slice(2, 14).join());
};

test('an erasure takes email, name and identity out of balance files; line, player ID and balances stay, and the manifest says so', async () => {
  const list = await jobs.read(listOf([load(3), load(2), load(3).toUpperCase()]));
  const all = await jobs.read({ scope: 'all' });
  const before = (await jobs.fileOf(list)).manifest;
  expect(await erase(20_000_003)).toBe(true);
  expect(await rowsOf(list.balanceJobId)).toEqual([
    '2,,true,erased,20000003,,,311,Lumens,3.25,0.00,3.25',
    '3,load-000002@players.example,true,,20000002,Load 000002,idn_load_000002,311,Lumens,2.25,0.00,2.25',
    '4,,true,erased,20000003,,,311,Lumens,3.25,0.00,3.25',
  ]);
  const { manifest } = await jobs.fileOf(await jobs.find(list.balanceJobId));
  expect(manifest).toMatchObject({ rows: 3, rows_erased: 2, sums: before.sums, counts: before.counts, complete: true });
  expect(manifest.reasons).toEqual(['2 rows have no email, name or identity, because the person was erased.']);
  expect((await rowsOf(all.balanceJobId)).filter((row) => row.includes('3.25')).at(0)).toBe(
    ',,true,erased,20000003,,,311,Lumens,3.25,0.00,3.25',
  );
  const { rows } = await testEnv.pool.query(`select from balance_entry e where to_jsonb(e)::text ~* 'load.000003'`);
  expect(rows).toEqual([]);
});

test('an address of the person that is still to be requested is not sent to Invo, and has no answer', async () => {
  await jobs.read(listOf([load(11)]));
  const balanceJobId = await jobs.request(listOf(loads(10, 12)));
  expect(await erase(20_000_011)).toBe(true);
  expect(await jobs.work({ batchMax: 1 })).toBe('done');
  expect(counts(await jobs.find(balanceJobId))).toEqual([2, 0, 1, 0, 0]);
  expect((await rowsOf(balanceJobId))[1]).toBe('3,,,erased,,,,,,,,');
});

test('what Invo reports of the person while they are erased, and later, is stored without their name', { tags: 'proof' }, async () => {
  await jobs.read(listOf([load(21)]));
  const balanceJobId = await jobs.request(listOf(loads(20, 22)));
  await testEnv.control('POST', 'faults', [{ kind: 'hold_after', match: { route: 'balance-batch' } }]);
  const game = await testEnv.game();
  const lease = await claimBalanceJob(game.db, 'test', game.gameId);
  if (lease === null) throw new Error('no job waits');
  const running = runBalanceJob(game, testEnv.config, lease);
  await expect.poll(() => testEnv.heldCount(), { timeout: 10_000 }).toBe(1);
  expect(await erase(20_000_021)).toBe(true);
  await testEnv.release();
  expect(await running).toEqual({ ended: 'done' });
  expect(counts(await jobs.find(balanceJobId))).toEqual([2, 0, 1, 0, 0]);
  const later = await jobs.read(listOf([load(21)]));
  const all = await jobs.read({ scope: 'all' });
  expect(await rowsOf(later.balanceJobId)).toEqual(['2,,true,erased,20000021,,,311,Lumens,21.25,0.00,21.25']);
  expect((await rowsOf(all.balanceJobId)).filter((row) => row.includes('20000021'))).toEqual([
    ',,true,erased,20000021,,,311,Lumens,21.25,0.00,21.25',
  ]);
  const { rows } = await testEnv.pool.query(`select from balance_entry e where to_jsonb(e)::text ~* 'load.000021'`);
  expect(rows).toEqual([]);
});
