// @module-tag no-retry
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openDb } from '#db/kit/open.ts';
import { proofSize } from '#e2e/support/proof.ts';
import { startWorker } from '#e2e/support/start-worker.ts';
import { NOW, openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { findPullJob } from '#lib/evidence/reads/pulls.ts';
import { claimPull, type Lease } from '#lib/evidence/writes/pull-queue.ts';
import { requestPull } from '../evidence/pull/request-pull.ts';
import { runPull } from '../evidence/pull/run-pull.ts';
import { verifyGame } from '../evidence/verify/verify-game.ts';
import { openGame } from '../games/open-game.ts';

const TWO_MONTHS = { start: '2026-07-01T00:00:00Z', end: '2026-09-01T00:00:00Z' };

test('when every backend is terminated during a pull, the worker survives and the pull completes', { tags: ['proof'] }, async () => {
  const testEnv = await openTestEnvironment();
  const { gameId } = await testEnv.game();
  await testEnv.control('POST', 'faults', [{ kind: 'hold', match: { query: { start: '2026-08-01T00:00:00Z' } } }]);
  const pullId = await request(testEnv);
  const worker = await startWorker(testEnv);
  await expect.poll(() => testEnv.heldCount()).toBe(1);
  for (let time = 0; time < 3; time += 1) {
    await testEnv.pool.query(`select pg_terminate_backend(pid, 10000) from pg_stat_activity ${OTHER_BACKENDS}`);
    await expect.poll(() => countWorkerBackends(testEnv)).toBeGreaterThan(0);
  }
  await testEnv.release();
  await expect.poll(async () => (await findPullJob(testEnv.db, gameId, pullId)).state, { timeout: 180_000 }).toBe('done');
  expect(worker.child.exitCode).toBeNull();
  await expectWhole(testEnv);
  expect(await worker.end('SIGTERM')).toBe(0);
  await testEnv.close();
});

test('when the database can’t be reached for seconds, the worker logs it, survives and continues', { tags: ['proof'] }, async () => {
  const testEnv = await openTestEnvironment();
  const { gameId } = await testEnv.game();
  const link = await openLink(testEnv.logins.worker);
  await testEnv.control('POST', 'faults', [{ kind: 'hold', match: { query: { start: '2026-08-01T00:00:00Z' } } }]);
  const pullId = await request(testEnv);
  const worker = await startWorker({ logins: { ...testEnv.logins, worker: link.url }, upstream: testEnv.upstream });
  await expect.poll(() => testEnv.heldCount()).toBe(1);
  await link.block();
  await expect.poll(() => worker.said()).toMatch(/error/);
  await sleep(1_500);
  await testEnv.release();
  await link.unblock();
  await expect.poll(async () => (await findPullJob(testEnv.db, gameId, pullId)).state, { timeout: 180_000 }).toBe('done');
  expect(worker.child.exitCode).toBeNull();
  expect(worker.said()).not.toMatch(/upstream-secret|postgres:\/\//);
  await expectWhole(testEnv);
  await worker.end('SIGTERM');
  await link.close();
  await testEnv.close();
});

describe('a commit whose answer is lost', () => {
  // The pull of two months commits six times: three calls taken from the budget, two slices, the snapshot.
  test.each(proofSize([4], [1, 2, 3, 4, 5, 6, 7]))('commit %i can be repeated without harm', { tags: 'proof' }, async (cutAt) => {
    const own = await openTestEnvironment();
    const link = await openLink(own.url);
    const open = openDb(link.url);
    const { gameId } = await own.game();
    const pullId = await request(own);
    const game = await openGame(open.db, own.config, { settleLag_minutes: 15, now: () => NOW });
    link.cutAfterCommit(cutAt);
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      const lease: Lease | null = await claimPull(own.db, 'one process', { gameId, pullId });
      if (lease === null) break;
      await runPull(game, own.config, lease).catch(() => undefined);
    }
    expect((await findPullJob(own.db, gameId, pullId)).state).toBe('done');
    expect(link.cuts()).toBe(cutAt <= 6 ? 1 : 0);
    await expectWhole(own);
    await open.close();
    await link.close();
    await own.close();
  });
});

const OTHER_BACKENDS = `where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;

async function countWorkerBackends({ pool }: TestEnvironment): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(`select count(*)::int from pg_stat_activity ${OTHER_BACKENDS}`);
  return rows[0]?.count ?? 0;
}

async function request({ db, game }: TestEnvironment): Promise<number> {
  const { gameId } = await game();
  const requested = await requestPull(db, {
    gameId,
    window: TWO_MONTHS,
    isFresh: false,
    requestedBy: 'test',
    now: NOW,
    settleLag_minutes: 15,
  });
  if (!requested.ok) throw new Error(requested.reason);
  return requested.pullId;
}

/** Two slices of version 1, one complete snapshot of the two months, and a database that passes verification. */
async function expectWhole({ db, game }: TestEnvironment): Promise<void> {
  const { gameId } = await game();
  const slices = await db
    .selectFrom('slice')
    .select(['window_start', 'version'])
    .where('window_end', '<=', TWO_MONTHS.end)
    .orderBy('window_start')
    .execute();
  expect(slices).toEqual(['2026-07-01T00:00:00Z', '2026-08-01T00:00:00Z'].map((window_start) => ({ window_start, version: 1 })));
  const snapshots = await db
    .selectFrom('snapshot')
    .select('status')
    .where('window_start', '=', TWO_MONTHS.start)
    .where('window_end', '=', TWO_MONTHS.end)
    .execute();
  expect(snapshots).toEqual([{ status: 'complete' }]);
  expect((await verifyGame(db, gameId)).violations).toEqual([]);
}

interface DatabaseLink {
  url: string;
  /** Nobody comes through, and who was through is cut off. */
  block(): Promise<void>;
  unblock(): Promise<void>;
  /** Lets the n-th commit from now through to the server and cuts the line before its answer comes back. */
  cutAfterCommit(number: number): void;
  cuts(): number;
  close(): Promise<void>;
}

/** A connection to the database that can be cut. */
async function openLink(databaseUrl: string): Promise<DatabaseLink> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const state = { commitsLeft: 0, cuts: 0 };
  const server: Server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    let isCut = false;
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          near.destroy();
          far.destroy();
          sockets.delete(socket);
        });
    }
    near.on('data', (chunk) => {
      if (state.commitsLeft > 0 && /^Q.{4}commit\0/s.test(chunk.toString('latin1'))) {
        state.commitsLeft -= 1;
        isCut = state.commitsLeft === 0;
      }
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      if (!isCut) return void near.write(chunk);
      state.cuts += 1;
      near.destroy();
    });
  });
  const listen = (port: number): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(databaseUrl);
  url.port = String(port);
  const block = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: url.href,
    block,
    unblock: () => listen(port),
    cutAfterCommit: (number) => void (state.commitsLeft = number),
    cuts: () => state.cuts,
    close: block,
  };
}
