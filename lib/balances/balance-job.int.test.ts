import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BalanceJob, findBalanceJob } from '#db/balances/reads.ts';
import { claimBalanceJob, deleteOldBalances, stopBalanceJob } from '#db/balances/writes/balance-queue.ts';
import { openTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { type BalanceManifest, openBalanceFile } from './balance-file.ts';
import { type AskedBalances, requestBalances } from './request-balances.ts';
import { type BalanceRunOptions, runBalanceJob } from './run-balance-job.ts';

let testEnv: TestEnvironment;
beforeAll(async () => {
  testEnv = await openTestEnvironment({ world: 'wallets:12000' });
});
afterAll(() => testEnv.close());
afterEach(async () => {
  await testEnv.control('POST', 'reset');
  await testEnv.control('POST', 'game', { rateLimit: false });
});

const load = (number: number): string => `load-${String(number).padStart(6, '0')}@players.example`;
const loads = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, at) => load(from + at));
const listOf = (emails: readonly string[]): AskedBalances => ({
  scope: 'some',
  bytes: Buffer.from(['player_email', ...emails].join('\r\n')),
});

async function request(asked: AskedBalances): Promise<number> {
  const requested = await requestBalances(await testEnv.game(), asked, { requestedBy: 'fiona@studio.example' });
  if (!requested.ok) throw new Error(requested.reason);
  return requested.balanceJobId;
}

async function work(options: BalanceRunOptions = {}, owner = 'test'): Promise<string> {
  const game = await testEnv.game();
  const lease = await claimBalanceJob(game.db, owner, game.gameId);
  if (lease === null) throw new Error('no job waits');
  return await runBalanceJob(game, testEnv.config, lease, options);
}

async function find(balanceJobId: number): Promise<BalanceJob> {
  const { db, gameId } = await testEnv.game();
  const job = await findBalanceJob(db, gameId, balanceJobId);
  if (job === null) throw new Error('no such job');
  return job;
}

async function read(asked: AskedBalances, options: BalanceRunOptions = {}): Promise<BalanceJob> {
  const balanceJobId = await request(asked);
  await work(options);
  return await find(balanceJobId);
}

async function fileOf({ balanceJobId }: BalanceJob): Promise<{ name: string; rows: string[]; manifest: BalanceManifest }> {
  const file = await openBalanceFile(await testEnv.game(), await testEnv.game(), { balanceJobId, format: 'csv' });
  if (!file.ok) throw new Error(file.reason);
  const pieces: Uint8Array[] = [];
  for await (const piece of file.bytes) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  expect(file.manifest().sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  return { name: file.fileName, rows: bytes.toString().trimEnd().split('\r\n'), manifest: file.manifest() };
}

async function batchCalls(): Promise<number> {
  return (await testEnv.calls()).filter(({ path }) => path === '/api/player-balances/batch').length;
}

const counts = ({ foundCount, unknownCount, unansweredCount, strangerCount, repeatedCount }: BalanceJob): number[] => [
  foundCount,
  unknownCount,
  unansweredCount,
  strangerCount,
  repeatedCount,
];

describe('a list of addresses', () => {
  test('becomes a file in the order of its lines; two spellings are asked once and both lines are answered', async () => {
    const job = await read(listOf([load(7), 'nobody@players.example', load(3), load(7).toUpperCase()]));
    expect(job).toMatchObject({ state: 'done', isComplete: true, lineCount: 4, addressCount: 3, reasons: [] });
    expect(counts(job)).toEqual([2, 1, 0, 0, 0]);
    const { name, rows, manifest } = await fileOf(job);
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
      counts: { lines: 4, addresses: 3, found: 2, unknown: 1, not_answered: 0, strangers: 0, repeated: 0 },
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

  test.each(['list', 'by_email', 'results', 'flat', 'errors', 'player_emails'])('is read from an answer of the shape %s', async (shape) => {
    await testEnv.control('POST', 'shape', { 'balance-batch': shape });
    const job = await read(listOf([...loads(9_990, 10_009), load(9_991).toUpperCase()]), { batchMax: 8 });
    expect([job.isComplete, counts(job)]).toEqual([true, [19, 1, 0, 0, 0]]);
    expect((await fileOf(job)).manifest.sums).toMatchObject([{ players: 19, available_balance: '9994.75' }]);
    // The name of the list is learned once.
    expect(await batchCalls()).toBe(shape === 'player_emails' ? 4 : 3);
  });

  test('in an answer that leaves unknown players out, they are not answered, never unknown or 0', async () => {
    await testEnv.control('POST', 'shape', { 'balance-batch': 'missing' });
    const job = await read(listOf([load(10_000), load(1)]));
    expect([job.isComplete, counts(job)]).toEqual([false, [1, 0, 1, 0, 0]]);
    const { name, rows, manifest } = await fileOf(job);
    expect(name).toMatch(/\.incomplete\.csv$/);
    expect(rows[1]?.replace(/,[^,]*$/, '')).toBe('demo,production,2,load-010000@players.example,,no_answer,,,,,,,,,');
    expect(manifest.reasons).toEqual(['1 addresses without an answer that can be read: not 0, not known']);
  });

  test('a dropped player is not answered, a stranger is counted and left out, and one met twice is counted', async () => {
    for (const kind of ['batch_drop', 'batch_stranger', 'batch_twice'])
      await testEnv.control('POST', 'faults', [{ kind, match: { route: 'balance-batch' } }]);
    const job = await read(listOf(loads(1, 12)), { batchMax: 4 });
    expect([job.isComplete, counts(job)]).toEqual([false, [11, 0, 1, 1, 1]]);
    const { rows } = await fileOf(job);
    expect(rows.filter((row) => row.includes('011999'))).toEqual([]);
    expect(rows).toHaveLength(13);
  });

  test('balances below zero, several currencies and none are kept as reported', async () => {
    const demo = await openTestEnvironment();
    try {
      const game = await demo.game();
      const requested = await requestBalances(game, listOf(['juno.marl@players.example', 'ilse.brand@players.example']), {
        requestedBy: 'test',
      });
      const lease = await claimBalanceJob(game.db, 'test', game.gameId);
      if (lease === null || !requested.ok) throw new Error('no job');
      expect(await runBalanceJob(game, demo.config, lease)).toBe('done');
      const file = await openBalanceFile(game, game, { balanceJobId: requested.balanceJobId, format: 'csv' });
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

  test('a process that dies after a batch asks no address twice that is stored', async () => {
    const balanceJobId = await request(listOf(loads(1, 12)));
    await testEnv.control('POST', 'faults', [{ kind: 'hold', match: { route: 'balance-batch' } }]);
    const held = work({ batchMax: 4 }, 'dies');
    await expect.poll(() => testEnv.heldCount()).toBe(1);
    await testEnv.release();
    await testEnv.control('POST', 'faults', [{ kind: 'hold', match: { route: 'balance-batch' } }]);
    await expect.poll(async () => (await find(balanceJobId)).foundCount, { timeout: 10_000 }).toBeGreaterThanOrEqual(4);
    await testEnv.pool.query(`update balance_job set lease_until = clock_timestamp() - interval '1 second'`);
    const game = await testEnv.game();
    const second = await claimBalanceJob(game.db, 'takes over', game.gameId);
    if (second === null) throw new Error('no job to take over');
    expect(second.attemptCount).toBe(2);
    expect(await runBalanceJob(game, testEnv.config, second, { batchMax: 4 })).toBe('done');
    if ((await testEnv.heldCount()) > 0) await testEnv.release();
    expect(['lost', 'done']).toContain(await held);
    const job = await find(balanceJobId);
    expect([job.isComplete, counts(job)]).toEqual([true, [12, 0, 0, 0, 0]]);
  });

  test('a stop between two batches keeps what was read and names the rest as not asked', async () => {
    const balanceJobId = await request(listOf(loads(1, 8)));
    await testEnv.control('POST', 'faults', [
      { kind: 'duplicate', match: { route: 'balance-batch' } },
      { kind: 'hold', match: { route: 'balance-batch' } },
    ]);
    const running = work({ batchMax: 4 });
    await expect.poll(() => testEnv.heldCount(), { timeout: 10_000 }).toBe(1);
    const { db, gameId } = await testEnv.game();
    expect(await stopBalanceJob(db, gameId, balanceJobId, 'fiona@studio.example')).toBe(true);
    expect(await running).toBe('stopped');
    await testEnv.release();
    const job = await find(balanceJobId);
    expect(job).toMatchObject({
      state: 'stopped',
      isComplete: false,
      reasons: ['Stopped by a person before the end.', '4 addresses were not asked for'],
    });
    const { name, rows } = await fileOf(job);
    expect(name).toMatch(/\.incomplete\.csv$/);
    expect(rows.slice(5).map((row) => row.split(',')[5])).toEqual(['not_asked', 'not_asked', 'not_asked', 'not_asked']);
    expect(await stopBalanceJob(db, gameId, balanceJobId, 'fiona@studio.example')).toBe(false);
  });

  test('an answer that is refused for good ends the job with what was read', async () => {
    await testEnv.control('POST', 'faults', [
      { kind: 'duplicate', match: { route: 'balance-batch' } },
      { kind: '403', match: { route: 'balance-batch' } },
    ]);
    const job = await read(listOf(loads(1, 8)), { batchMax: 4 });
    expect(job).toMatchObject({ state: 'failed', isComplete: false });
    expect(counts(job)).toEqual([4, 0, 4, 0, 0]);
  });

  test('a list that can’t be read in full stores and sends nothing', async () => {
    const game = await testEnv.game();
    const before = await testEnv.pool.query('select count(*) from balance_job');
    expect(await requestBalances(game, listOf([load(1), 'nobody']), { requestedBy: 'test' })).toEqual({
      ok: false,
      reason: 'list',
      error: { kind: 'not_addresses', lines: [3], count: 1 },
    });
    expect((await testEnv.pool.query('select count(*) from balance_job')).rows).toEqual(before.rows);
    expect(await batchCalls()).toBe(0);
  });

  test('addresses are in no log, and nowhere else once the files are deleted after 30 days', async () => {
    const job = await read(listOf(['canary.plum@players.example', load(5)]));
    const { db, gameId } = await testEnv.game();
    expect(await deleteOldBalances(db, gameId)).toBe(0);
    await testEnv.pool.query(`update balance_job set ended_at = ended_at - interval '30 days 1 minute' where balance_job_id = $1`, [
      job.balanceJobId,
    ]);
    expect(await deleteOldBalances(db, gameId)).toBe(1);
    expect(await openBalanceFile(await testEnv.game(), await testEnv.game(), { balanceJobId: job.balanceJobId, format: 'csv' })).toEqual({
      ok: false,
      reason: 'deleted',
    });
    expect(await find(job.balanceJobId)).toMatchObject({ foundCount: 1, unknownCount: 1, addressCount: 2 });
    expect(await tablesWith('canary.plum')).toEqual([]);
    const { rows } = await testEnv.pool.query(`select act, subject from audit where subject = $1`, [`balance file ${job.balanceJobId}`]);
    expect(rows).toEqual([{ act: 'asked for balances', subject: `balance file ${job.balanceJobId}` }]);
  });
});

async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await testEnv.pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables`,
  );
  const found: string[] = [];
  for (const { name } of rows)
    if (((await testEnv.pool.query(`select 1 from ${name} t where t::text ilike $1 limit 1`, [`%${text}%`])).rowCount ?? 0) > 0)
      found.push(name);
  return found;
}

describe('all players', () => {
  test.each(['ndjson', 'results', 'list', 'sse', 'trailer', 'heartbeat', 'gzip'])(
    'are read whole from a stream of the format %s',
    async (shape) => {
      await testEnv.control('POST', 'shape', { 'balance-stream': shape });
      const job = await read({ scope: 'all' });
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
    'cut off by %s in the format %s are incomplete, and every record before is kept',
    async (kind, shape) => {
      await testEnv.control('POST', 'shape', { 'balance-stream': shape });
      await testEnv.control('POST', 'faults', [{ kind, records: 700 }]);
      const job = await read({ scope: 'all' });
      expect(job).toMatchObject({
        state: 'failed',
        isComplete: false,
        foundCount: 700,
        failure: 'The connection closed before Invo had sent everything.',
      });
      const { name, rows } = await fileOf(job);
      expect(name).toMatch(/\.incomplete\.csv$/);
      expect(rows).toHaveLength(701);
      expect((await testEnv.calls()).filter(({ path }) => path.endsWith('/stream-all'))).toHaveLength(1);
    },
    60_000,
  );

  test('who comes twice counts once, with the later figure', async () => {
    await testEnv.control('POST', 'shape', { 'balance-stream': 'twice' });
    const job = await read({ scope: 'all' });
    expect([job.isComplete, counts(job)]).toEqual([true, [11_999, 0, 0, 0, 1]]);
    expect((await fileOf(job)).rows[1]).toContain(',Lumens,7.77,0.00,');
  });

  test.each([
    ['wrong_count', {}, 'Invo counted other records than it sent.'],
    ['unmarked', {}, 'The connection closed before Invo had sent everything.'],
    ['ndjson', { kind: 'stream_stall', records: 300 }, 'Invo stopped sending before the end.'],
  ])('in a stream that is %s are incomplete, although records came', async (shape, fault, failure) => {
    await testEnv.control('POST', 'shape', { 'balance-stream': shape });
    if ('kind' in fault) await testEnv.control('POST', 'faults', [fault]);
    const job = await read({ scope: 'all' }, { streamLimits: { idleMs: 'kind' in fault ? 400 : 30_000 } });
    expect(job).toMatchObject({ state: 'failed', isComplete: false, failure });
    expect(job.foundCount).toBe('kind' in fault ? 300 : 11_999);
  });

  test('past a bound on bytes are an error, and no end', async () => {
    const job = await read({ scope: 'all' }, { streamLimits: { receivedBytes: 100_000 } });
    expect(job).toMatchObject({ state: 'failed', isComplete: false });
    expect(job.foundCount).toBeLessThan(300);
  });

  test('are not read again when the process that read them dies: the file is incomplete', async () => {
    const balanceJobId = await request({ scope: 'all' });
    const game = await testEnv.game();
    await claimBalanceJob(game.db, 'dies', game.gameId);
    await testEnv.pool.query(`update balance_job set lease_until = clock_timestamp() - interval '1 second'`);
    expect(await work()).toBe('failed');
    expect(await find(balanceJobId)).toMatchObject({ isComplete: false, foundCount: 0 });
    expect((await testEnv.calls()).filter(({ path }) => path.endsWith('/stream-all'))).toEqual([]);
  });

  test('have names that no spreadsheet runs as a formula', async () => {
    const job = await read(listOf([load(1)]));
    await testEnv.pool.query(`update balance_entry set player_name = '=HYPERLINK("http://x.example")' where balance_job_id = $1`, [
      job.balanceJobId,
    ]);
    await testEnv.pool.query(`update balance_held set available_balance = '-45.5' where balance_job_id = $1`, [job.balanceJobId]);
    expect((await fileOf(job)).rows[1]).toContain(`"'=HYPERLINK(""http://x.example"")",idn_load_000001,311,Lumens,-45.50,`);
    const game = await testEnv.game();
    const file = await openBalanceFile(game, game, { balanceJobId: job.balanceJobId, format: 'xlsx' });
    if (!file.ok) throw new Error(file.reason);
    for await (const _ of file.bytes);
    expect(file.manifest()).toMatchObject({ format: 'xlsx', numbers_as_text: 0, rows: 1 });
  });
});
