import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureDatabase } from '#db/kit/administer.ts';
import { migrateDatabase } from '#db/kit/migrate.ts';
import { type OpenWithPool, openWithPool } from '#e2e/support/db/open-with-pool.ts';
import type { GameConfig } from '#lib/config.ts';
import type { Window } from '#lib/core/window.ts';
import { requestPull } from '#lib/evidence/pull/request-pull.ts';
import { runPull } from '#lib/evidence/pull/run-pull.ts';
import { findPullJob, type PullJob } from '#lib/evidence/reads/pulls.ts';
import { type CheckedSnapshot, findSnapshot } from '#lib/evidence/reads/snapshots.ts';
import { claimPull } from '#lib/evidence/writes/pull-queue.ts';
import { openGame } from '#lib/games/open-game.ts';
import { startPostgres } from '#lib/start/postgres/embedded-postgres.ts';

export const NOW = '2026-11-21T12:00:00Z';
export const OCTOBER: Window = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
export const SECRET = 'upstream-secret';

/** A Postgres of its own for pulls. */
export interface PullBench {
  /** A migrated, empty database; without `isMetered` its calls don't count against the rate limit. */
  openDatabase(name: string, isMetered?: boolean): Promise<OpenWithPool & { url: string }>;
  close(): Promise<void>;
}

/** Starts a Postgres for pulls; commits are durable on request, as local work is measured with them. */
export async function openPullBench(isDurable: boolean): Promise<PullBench> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sharebook-bench-'));
  const server = await startPostgres({ folder, flags: isDurable ? [] : ['fsync=off', 'synchronous_commit=off'] });
  return {
    async openDatabase(name, isMetered = false) {
      await ensureDatabase(server.url, name);
      const url = server.databaseUrl(name);
      await migrateDatabase(url);
      const open = openWithPool(url);
      if (!isMetered) await open.pool.query('create rule unmetered as on insert to rate_call do instead nothing');
      return { ...open, url };
    },
    async close() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The game that pulls of a bench are of. */
export function gameAt(baseUrl: string): GameConfig {
  return { slug: 'bench', name: 'Bench', environment: 'production', baseUrl, gameSecret: SECRET, timeZone: 'UTC' };
}

/** Pulls a window to its end. Throws when the snapshot isn't complete. */
export async function pullOnce(
  { db }: OpenWithPool,
  baseUrl: string,
  window: Window,
  isFresh = false,
): Promise<{ job: PullJob; snapshot: CheckedSnapshot; took_ms: number }> {
  const config = gameAt(baseUrl);
  const game = await openGame(db, config, { settleLag_minutes: 15, now: () => NOW });
  const request = { gameId: game.gameId, window, isFresh, requestedBy: 'bench', now: NOW, settleLag_minutes: 15 };
  const requested = await requestPull(db, request);
  const lease = requested.ok ? await claimPull(db, 'bench', { gameId: game.gameId, pullId: requested.pullId }) : null;
  if (!lease) throw new Error('the pull could not be claimed');
  const before = performance.now();
  const run = await runPull(game, config, lease);
  const took_ms = performance.now() - before;
  if (run.ended !== 'done') throw new Error(JSON.stringify(run));
  const [job, snapshot] = [await findPullJob(db, game.gameId, lease.pullId), await findSnapshot(db, game.gameId, run.snapshotId)];
  if (snapshot.status !== 'complete')
    throw new Error(`the window doesn't reconcile: ${JSON.stringify(snapshot.checks.filter((check) => !check.ok))}`);
  return { job, snapshot, took_ms };
}
