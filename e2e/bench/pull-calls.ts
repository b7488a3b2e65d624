import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findPullJob } from '#db/evidence/reads/pulls.ts';
import { findSnapshot } from '#db/evidence/reads/snapshots.ts';
import { claimPull } from '#db/evidence/writes/pull-queue.ts';
import { migrateDatabase } from '#db/kit/migrate.ts';
import { type OpenDb, openDb } from '#db/kit/open.ts';
import type { GameConfig } from '#lib/config.ts';
import type { Window } from '#lib/core/window.ts';
import { requestPull } from '#lib/evidence/pull/request-pull.ts';
import { runPull } from '#lib/evidence/pull/run-pull.ts';
import { openGame } from '#lib/games/open-game.ts';
import { ensureDatabase, startPostgres } from '#lib/start/postgres/embedded-postgres.ts';
import { createUpstream } from '../upstream/server.ts';
import { bisectionCalls, type Lines, lowerBound } from './lower-bound.ts';

// Calls of a pull against the lower bound of every distribution (performance goals 1 and 2). `node e2e/bench/pull-calls.ts [name …]`; needs no network.

const NOW = '2026-11-21T12:00:00Z';
const OCTOBER: Window = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
const WINDOWS: Record<string, Window> = {
  small: OCTOBER,
  maximal: OCTOBER,
  'one-large': OCTOBER,
  'renewals-39': OCTOBER,
  'renewals-and-reversals-39': OCTOBER,
  singles: OCTOBER,
  crowded: OCTOBER,
  'first-pull': { start: '2025-09-27T00:00:00Z', end: OCTOBER.end },
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(WINDOWS);
const folder = mkdtempSync(path.join(tmpdir(), 'sharebook-bench-'));
const server = await startPostgres({ folder, flags: ['fsync=off', 'synchronous_commit=off'] });
try {
  say(
    '| distribution | renewals | reversals | bound | bisection | newest | oldest | shuffled | of bound | shuffled of bisection | lines lost | s |',
  );
  say('|---|---|---|---|---|---|---|---|---|---|---|---|');
  for (const [at, name] of names.entries()) say(await measure(name, `bench_${at}`));
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(name: string, database: string): Promise<string> {
  const window = WINDOWS[name] ?? OCTOBER;
  const upstream = await createUpstream({ now: NOW, world: `distribution:${name}` });
  const calls: Record<string, number> = {};
  let [lines, lost, took_ms]: [Lines, number, number] = [{ renewals: [], reversals: [] }, 0, 0];
  for (const lineOrder of ['newest', 'oldest', 'shuffled']) {
    await ensureDatabase(server, `${database}_${lineOrder}`);
    await migrateDatabase(server.databaseUrl(`${database}_${lineOrder}`));
    const open = openDb(server.databaseUrl(`${database}_${lineOrder}`));
    await fetch(`${upstream.controlUrl}/game`, { method: 'POST', body: JSON.stringify({ lineOrder, rateLimit: false }) });
    const before = performance.now();
    const pulled = await pull(open, upstream.url, window);
    if (lineOrder === 'newest') took_ms = performance.now() - before;
    calls[lineOrder] = pulled.calls;
    lost += pulled.lost;
    lines = await readLines(open);
    await open.close();
  }
  await upstream.close();
  const { newest = 0, oldest = 0, shuffled = 0 } = calls;
  const bound = lowerBound(lines, (Date.parse(window.end) - Date.parse(window.start)) / 86_400_000);
  const bisection = bisectionCalls(lines, Date.parse(window.start), Date.parse(window.end));
  const cells = [
    name,
    lines.renewals.length,
    lines.reversals.length,
    bound,
    bisection,
    newest,
    oldest,
    shuffled,
    `${(newest / bound).toFixed(2)}${newest <= 1.25 * bound + 3 ? '' : ' MISSED'}`,
  ];
  return `| ${[...cells, `${(shuffled / bisection).toFixed(2)}${shuffled <= 1.05 * bisection ? '' : ' MISSED'}`, lost, (took_ms / 1000).toFixed(1)].join(' | ')} |`;
}

async function pull({ db, pool }: OpenDb, baseUrl: string, window: Window): Promise<{ calls: number; lost: number }> {
  // The budget would make the bench wait a minute for every 55 calls.
  await pool.query('create rule unmetered as on insert to rate_call do instead nothing');
  const config: GameConfig = {
    slug: 'bench',
    name: 'Bench',
    environment: 'production',
    baseUrl,
    gameSecret: 'upstream-secret',
    timeZone: 'UTC',
  };
  const game = await openGame(db, pool, config, { settleLag_minutes: 15, now: () => NOW });
  const requested = await requestPull(db, {
    gameId: game.gameId,
    window,
    isFresh: false,
    requestedBy: 'bench',
    now: NOW,
    settleLag_minutes: 15,
  });
  const lease = requested.ok ? await claimPull(db, 'bench', { gameIds: [game.gameId], pullId: requested.pullId }) : null;
  if (!lease) throw new Error('the pull could not be claimed');
  const run = await runPull(game, config, lease);
  if (run.ended !== 'done') throw new Error(JSON.stringify(run));
  const [job, statement] = [await findPullJob(db, game.gameId, lease.pullId), await findSnapshot(db, game.gameId, run.snapshotId)];
  if (statement.status !== 'complete')
    throw new Error(`the month does not tie out: ${JSON.stringify(statement.checks.filter((check) => !check.ok))}`);
  return { calls: job.calls, lost: statement.totals.renewals_with_attribution - statement.renewalLineCount };
}

async function readLines({ pool }: OpenDb): Promise<Lines> {
  const read = async (text: string): Promise<Lines['renewals']> =>
    (await pool.query<{ recipient: number; at: string }>(text)).rows.map((row) => ({ recipient: row.recipient, atMs: Date.parse(row.at) }));
  return {
    renewals: await read('select recipient_player_id as recipient, paid_at as at from renewal_line'),
    reversals: await read(
      'select recipient_player_id as recipient, max(refunded_at) as at from refund_event group by slice_id, recipient_player_id, period_id',
    ),
  };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
