// @module-tag proof
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordFigure } from '#e2e/support/proof.ts';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { openBalanceFile } from './balance-file.ts';
import { type BalanceJob, findBalanceJob } from './reads.ts';
import { type BalanceRequest, requestBalances } from './request-balances.ts';
import { runBalanceJob } from './run-balance-job.ts';
import { claimBalanceJob } from './writes/balance-queue.ts';

// Every 10,000th address is unknown: ten.
const size = { world: 'wallets', addresses: 100_000, players: 119_988, cut: 70_000 };

let testEnv: TestEnvironment;
beforeAll(async () => {
  testEnv = await openTestEnvironment({ world: size.world });
});
afterAll(() => testEnv.close());

const load = (number: number): string => `load-${String(number).padStart(6, '0')}@players.example`;

async function read(wanted: BalanceRequest): Promise<BalanceJob> {
  const game = await testEnv.game();
  const requested = await requestBalances(game, wanted, { requestedBy: 'test' });
  const lease = await claimBalanceJob(game.db, 'test', game.gameId);
  if (!requested.ok || lease === null) throw new Error('no job');
  await runBalanceJob(game, testEnv.config, lease);
  const job = await findBalanceJob(game.db, game.gameId, requested.balanceJobId);
  if (job === null) throw new Error('no job');
  return job;
}

async function countRows({ balanceJobId }: BalanceJob): Promise<{ name: string; rows: number; sum: string | undefined }> {
  const game = await testEnv.game();
  const file = await openBalanceFile({ db: game.db, files: game.db }, game, { balanceJobId, format: 'csv' });
  if (!file.ok) throw new Error(file.reason);
  let rows = -1;
  for await (const piece of file.bytes) for (const byte of piece) if (byte === 10) rows += 1;
  return { name: file.fileName, rows, sum: file.manifest().sums[0]?.available_balance ?? undefined };
}

test('each address of a whole list has one outcome, and 200 that are spelled twice are answered on both lines', async () => {
  const { addresses } = size;
  const emails = [
    ...Array.from({ length: addresses - 400 }, (_, index) => load(index + 401)),
    ...Array.from({ length: 200 }, (_, index) => load(index + 1001)),
  ];
  const spelled = emails.map((email, index) => (index >= addresses - 400 ? email.toUpperCase() : email));
  const started_at = performance.now();
  await testEnv.control('POST', 'faults', [
    { kind: 'batch_drop', match: { route: 'balance-batch' } },
    { kind: 'batch_stranger', match: { route: 'balance-batch' } },
  ]);
  const job = await read({ scope: 'some', bytes: Buffer.from(spelled.join('\n')) });
  const unknown = Math.floor(addresses / 10_000);
  expect(job).toMatchObject({
    isComplete: false,
    lineCount: addresses - 200,
    addressCount: addresses - 400,
    foundCount: addresses - 400 - unknown - 1,
    unknownCount: unknown,
    unansweredCount: 1,
    strangerCount: 1,
  });
  const file = await countRows(job);
  expect([file.rows, /incomplete/.test(file.name)]).toEqual([addresses - 200, true]);
  recordFigure('balances of a list', `${addresses - 400} addresses read and written in ${Math.round(performance.now() - started_at)} ms`);
}, 300_000);

test('all players are read whole; cut between two records and within one, what came before is stored', async () => {
  const started_at = performance.now();
  const whole = await read({ scope: 'all' });
  expect(whole).toMatchObject({ isComplete: true, foundCount: size.players, unansweredCount: 0 });
  expect(await countRows(whole)).toMatchObject({ rows: size.players });
  recordFigure('balances of all players', `${size.players} players read and written in ${Math.round(performance.now() - started_at)} ms`);
  for (const kind of ['stream_cut', 'stream_mid_record']) {
    await testEnv.control('POST', 'faults', [{ kind, records: size.cut }]);
    const cut = await read({ scope: 'all' });
    expect([kind, cut.isComplete, cut.foundCount]).toEqual([kind, false, size.cut]);
    expect((await countRows(cut)).name).toMatch(/\.incomplete\.csv$/);
  }
}, 300_000);
