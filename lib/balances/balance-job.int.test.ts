// @module-tag no-retry
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BalanceJobs, counts, jobsIn, listOf, load, loads } from '#e2e/support/balances/balance-jobs.ts';
import { listTablesHolding, openTestEnvironment, SECRET, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { readConfig } from '../config.ts';
import { createHandlers } from '../jobs/handlers.ts';
import { openBalanceFile } from './balance-file.ts';
import { requestBalances } from './request-balances.ts';
import { runBalanceJob } from './run-balance-job.ts';
import { claimBalanceJob, deleteOldBalances, stopBalanceJob } from './writes/balance-queue.ts';

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

describe('a list of addresses', () => {
  test('becomes a file in the order of its lines; two spellings are requested once and both lines are answered', async () => {
    const job = await jobs.read(listOf([load(7), 'nobody@players.example', load(3), load(7).toUpperCase()]));
    expect(job).toMatchObject({ state: 'done', isComplete: true, lineCount: 4, addressCount: 3, reasons: [] });
    expect(counts(job)).toEqual([2, 1, 0, 0, 0]);
    const { name, rows, manifest } = await jobs.fileOf(job);
    expect(name).toMatch(/^demo-balances-\d+-\d{4}-\d\d-\d\d\.csv$/);
    expect(rows[0]).toBe(
      'game,environment,asked_line,player_email,found,reason,player_id,player_name,identity_id,currency_id,currency_name,available_balance,reserved_balance,total_balance,last_updated,read_at',
    );
    expect(rows.slice(1).map((row) => row.replace(/,[^,]*$/, ''))).toEqual([
      'demo,production,2,load-000007@players.example,true,,20000007,Load 000007,idn_load_000007,311,Lumens,7.25,0.00,7.25,2026-11-21T12:00:00.000Z',
      'demo,production,3,nobody@players.example,false,unknown_player,,,,,,,,,',
      'demo,production,4,load-000003@players.example,true,,20000003,Load 000003,idn_load_000003,311,Lumens,3.25,0.00,3.25,2026-11-21T12:00:00.000Z',
      'demo,production,5,LOAD-000007@PLAYERS.EXAMPLE,true,,20000007,Load 000007,idn_load_000007,311,Lumens,7.25,0.00,7.25,2026-11-21T12:00:00.000Z',
    ]);
    expect(manifest).toMatchObject({
      rows: 4,
      complete: true,
      counts: { lines: 4, lines_repeated: 1, addresses: 3, found: 2, unknown: 1, not_answered: 0, strangers: 0, repeated: 0 },
      sums: [
        {
          currency_id: '311',
          currency_name: 'Lumens',
          players: 2,
          available_balance: '10.50',
          reserved_balance: '0.00',
          total_balance: '10.50',
        },
      ],
    });
  });

  test('with balances whose currency Invo doesn’t name has no sum of them, because they may be of several', async () => {
    const job = await jobs.read(listOf(loads(1, 3)));
    const { rows } = await testEnv.pool.query<{ entry_no: number }>(
      `update balance_held set currency_id = null, currency_name = null where balance_job_id = $1 and entry_no < (
         select max(entry_no) from balance_held where balance_job_id = $1) returning entry_no`,
      [job.balanceJobId],
    );
    await testEnv.pool.query(
      `insert into balance_held select game_id, balance_job_id, entry_no, position + 1, null, null, 250.00, null, null
       from balance_held where balance_job_id = $1 and entry_no = $2`,
      [job.balanceJobId, rows[0]?.entry_no],
    );
    expect((await jobs.fileOf(job)).manifest.sums).toEqual([
      { currency_id: null, currency_name: null, players: 2, available_balance: null, reserved_balance: null, total_balance: null },
      expect.objectContaining({ currency_name: 'Lumens', players: 1, available_balance: expect.any(String) as string }),
    ]);
  });

  test.each(['list', 'by_email', 'results', 'flat', 'errors', 'player_emails'])('is read from an answer of the shape %s', async (shape) => {
    await testEnv.control('POST', 'shape', { 'balance-batch': shape });
    const job = await jobs.read(listOf([...loads(9_990, 10_009), load(9_991).toUpperCase()]), { batchMax: 8 });
    expect([job.isComplete, counts(job)]).toEqual([true, [19, 1, 0, 0, 0]]);
    expect((await jobs.fileOf(job)).manifest.sums).toMatchObject([{ players: 19, available_balance: '9994.75' }]);
    // The name of the list is learned once.
    expect(await jobs.batchCalls()).toBe(shape === 'player_emails' ? 4 : 3);
  });

  test('that spells an address in capitals is answered by Invo’s spelling of it', async () => {
    const job = await jobs.read(listOf([load(8).toUpperCase()]));
    expect(counts(job)).toEqual([1, 0, 0, 0, 0]);
    expect((await jobs.fileOf(job)).rows[1]).toContain('LOAD-000008@PLAYERS.EXAMPLE,true,,20000008');
  });

  test('in an answer that leaves unknown players out, they are not answered, never unknown or 0', async () => {
    await testEnv.control('POST', 'shape', { 'balance-batch': 'missing' });
    const job = await jobs.read(listOf([load(10_000), load(1)]));
    expect([job.isComplete, counts(job)]).toEqual([false, [1, 0, 1, 0, 0]]);
    const { name, rows, manifest } = await jobs.fileOf(job);
    expect(name).toMatch(/\.incomplete\.csv$/);
    expect(rows[1]?.replace(/,[^,]*$/, '')).toBe('demo,production,2,load-010000@players.example,,no_answer,,,,,,,,,');
    expect(manifest.reasons).toEqual(['1 email has no readable answer. Its balance is unknown, not 0.']);
  });

  test('a dropped player is not answered, a stranger is counted and left out, and one met twice is counted', async () => {
    for (const kind of ['batch_drop', 'batch_stranger', 'batch_twice'])
      await testEnv.control('POST', 'faults', [{ kind, match: { route: 'balance-batch' } }]);
    const job = await jobs.read(listOf(loads(1, 12)), { batchMax: 4 });
    expect([job.isComplete, counts(job)]).toEqual([false, [11, 0, 1, 1, 1]]);
    const { rows } = await jobs.fileOf(job);
    expect(rows.filter((row) => row.includes('011999'))).toEqual([]);
    expect(rows).toHaveLength(13);
  });

  test('balances below zero, several currencies and none are stored as reported', async () => {
    const demo = await openTestEnvironment();
    try {
      const game = await demo.game();
      const requested = await requestBalances(game, listOf(['juno.marl@players.example', 'ilse.brand@players.example']), {
        requestedBy: 'test',
      });
      const lease = await claimBalanceJob(game.db, 'test', game.gameId);
      if (lease === null || !requested.ok) throw new Error('no job');
      expect(await runBalanceJob(game, demo.config, lease)).toEqual({ ended: 'done' });
      const file = await openBalanceFile({ db: game.db, files: game.db }, game, { balanceJobId: requested.balanceJobId, format: 'csv' });
      if (!file.ok) throw new Error(file.reason);
      let text = '';
      for await (const piece of file.bytes) text += Buffer.from(piece).toString();
      expect(
        text
          .split('\r\n')
          .slice(1)
          .map((row) => row.split(',').slice(9, 14).join()),
      ).toEqual(['311,Lumens,1200.00,0.00,1200.00', '318,Embers,-45.50,0.00,-45.50', ',,,,', '']);
      expect(file.manifest().sums.map(({ currency_name, available_balance }) => [currency_name, available_balance])).toEqual([
        ['Embers', '-45.50'],
        ['Lumens', '1200.00'],
      ]);
    } finally {
      await demo.close();
    }
  });

  test('after a process died behind a batch, no stored address is requested again', async () => {
    const balanceJobId = await jobs.request(listOf(loads(1, 12)));
    await testEnv.control('POST', 'faults', [{ kind: 'hold', match: { route: 'balance-batch' } }]);
    const held = jobs.work({ batchMax: 4 }, 'dies');
    await expect.poll(() => testEnv.heldCount()).toBe(1);
    await testEnv.release();
    await testEnv.control('POST', 'faults', [{ kind: 'hold', match: { route: 'balance-batch' } }]);
    await expect.poll(async () => (await jobs.find(balanceJobId)).foundCount, { timeout: 10_000 }).toBeGreaterThanOrEqual(4);
    await testEnv.pool.query(`update balance_job set lease_until = clock_now() - interval '1 second'`);
    const game = await testEnv.game();
    const second = await claimBalanceJob(game.db, 'takes over', game.gameId);
    if (second === null) throw new Error('no job to take over');
    expect(second.attemptCount).toBe(2);
    expect(await runBalanceJob(game, testEnv.config, second, { batchMax: 4 })).toEqual({ ended: 'done' });
    if ((await testEnv.heldCount()) > 0) await testEnv.release();
    expect(['lost', 'done']).toContain(await held);
    const job = await jobs.find(balanceJobId);
    expect([job.isComplete, counts(job)]).toEqual([true, [12, 0, 0, 0, 0]]);
  });

  test('a stop between two batches leaves what was read and lists the rest as not requested', async () => {
    const balanceJobId = await jobs.request(listOf(loads(1, 8)));
    await testEnv.control('POST', 'faults', [
      { kind: 'duplicate', match: { route: 'balance-batch' } },
      { kind: 'hold', match: { route: 'balance-batch' } },
    ]);
    const running = jobs.work({ batchMax: 4 });
    await expect.poll(() => testEnv.heldCount(), { timeout: 10_000 }).toBe(1);
    const { db, gameId } = await testEnv.game();
    expect(await stopBalanceJob(db, gameId, balanceJobId, 'fiona@studio.example')).toBe(true);
    expect(await running).toBe('stopped');
    await testEnv.release();
    const job = await jobs.find(balanceJobId);
    expect(job).toMatchObject({
      state: 'stopped',
      isComplete: false,
      reasons: ['Stopped before it finished.', '4 emails were not requested.'],
    });
    const { name, rows } = await jobs.fileOf(job);
    expect(name).toMatch(/\.incomplete\.csv$/);
    expect(rows.slice(5).map((row) => row.split(',')[5])).toEqual(['not_asked', 'not_asked', 'not_asked', 'not_asked']);
    expect(await stopBalanceJob(db, gameId, balanceJobId, 'fiona@studio.example')).toBe(false);
  });

  test('an answer that is refused for good ends the job with what was read', async () => {
    await testEnv.control('POST', 'faults', [
      { kind: 'duplicate', match: { route: 'balance-batch' } },
      { kind: '403', match: { route: 'balance-batch' } },
    ]);
    const job = await jobs.read(listOf(loads(1, 8)), { batchMax: 4 });
    expect(job).toMatchObject({ state: 'failed', isComplete: false });
    expect(counts(job)).toEqual([4, 0, 4, 0, 0]);
  });

  test('a list that can’t be read in full stores and sends nothing', async () => {
    const game = await testEnv.game();
    const before = await testEnv.pool.query('select count(*) from balance_job');
    expect(await requestBalances(game, listOf([load(1), 'nobody']), { requestedBy: 'test' })).toEqual({
      ok: false,
      reason: 'list',
      error: { kind: 'lines', notEmails: { lines: [3], count: 1 }, secondEmails: { lines: [], count: 0 }, openQuote: null },
    });
    expect((await testEnv.pool.query('select count(*) from balance_job')).rows).toEqual(before.rows);
    expect(await jobs.batchCalls()).toBe(0);
  });

  test('addresses are in no log, and nowhere else once the files are deleted after 30 days', async () => {
    const logged: string[] = [];
    const log = (event: string, fields: object): void => void logged.push(JSON.stringify({ event, ...fields }));
    const env = { DATABASE_URL: testEnv.url, INVO_GAME: 'demo', INVO_GAME_NAME: 'Demo', INVO_BASE_URL: testEnv.upstream.url };
    const config = readConfig({ ...env, INVO_GAME_SECRET: SECRET });
    const { signal } = new AbortController();
    const worker = createHandlers(config, { open: () => testEnv.game(), db: testEnv.db, owner: 'test', signal, log });
    const list = listOf(['canary.plum@players.example', load(5)]);
    await testEnv.control('POST', 'faults', [{ kind: '403', match: { route: 'balance-batch' } }]);
    for (const state of ['failed', 'done']) {
      const balanceJobId = await jobs.request(list);
      await worker.balances.run((await testEnv.game()).gameId);
      expect(await jobs.find(balanceJobId)).toMatchObject({ state });
      expect(logged.at(-1)).toContain(`"balanceJobId":${balanceJobId}`);
    }
    expect(logged.join('\n')).not.toMatch(/canary|players\.example/i);
    await testEnv.pool.query(`update balance_job set ended_at = ended_at - interval '30 days 1 minute' where state = 'failed'`);
    await deleteOldBalances((await testEnv.game()).db, (await testEnv.game()).gameId);
    const job = await jobs.find(Number(/"balanceJobId":(\d+)/.exec(logged.at(-1) ?? '')?.[1]));
    expect(await listTablesHolding(testEnv.pool, /canary\.plum/i)).toEqual(['balance_entry']);
    const { db, gameId } = await testEnv.game();
    expect(await deleteOldBalances(db, gameId)).toBe(0);
    await testEnv.pool.query(`update balance_job set ended_at = ended_at - interval '30 days 1 minute' where balance_job_id = $1`, [
      job.balanceJobId,
    ]);
    expect(await deleteOldBalances(db, gameId)).toBe(1);
    expect(
      await openBalanceFile({ db: testEnv.db, files: testEnv.db }, await testEnv.game(), { balanceJobId: job.balanceJobId, format: 'csv' }),
    ).toEqual({
      ok: false,
      reason: 'deleted',
    });
    expect(await jobs.find(job.balanceJobId)).toMatchObject({ foundCount: 1, unknownCount: 1, addressCount: 2 });
    expect(await listTablesHolding(testEnv.pool, /canary\.plum/i)).toEqual([]);
    const { rows } = await testEnv.pool.query(`select act, subject from audit where subject = $1`, [`balance file ${job.balanceJobId}`]);
    expect(rows).toEqual([{ act: 'asked for balances', subject: `balance file ${job.balanceJobId}` }]);
  });
});
