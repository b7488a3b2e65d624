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

// Compares the calls of a pull with the lower bound of every distribution (performance goals 1 and 2). `node e2e/bench/pull-calls.ts [name …]`; needs no network.

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
  print(
    '| distribution | renewals | reversals | bound | bisection | newest | oldest | shuffled | of bound | shuffled of bisection | lines lost | s |',
  );
  print('|---|---|---|---|---|---|---|---|---|---|---|---|');
  for (const [at, name] of names.entries()) print(await measure(name, `bench_${at}`));
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
  // The rate limit would make the bench wait a minute for every 55 calls.
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
    throw new Error(`the month doesn't reconcile: ${JSON.stringify(statement.checks.filter((check) => !check.ok))}`);
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

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** One line of one recipient, by the instant it is settled or refunded. */
interface CountedLine {
  recipient: number;
  atMs: number;
}

interface Lines {
  renewals: CountedLine[];
  reversals: CountedLine[];
}

const WINDOW_LINES_MAX = 20_000;
const INLINE_LINES_MAX = 500;
const PAGE_RECIPIENTS_MAX = 100;

/** The fewest calls of any plan: the fewest windows, with at most 100 recipients and 500 lines of each kind per answer. */
function lowerBound(lines: Lines, days: number): number {
  const windows = Math.max(
    1,
    Math.ceil(lines.renewals.length / WINDOW_LINES_MAX),
    Math.ceil(lines.reversals.length / WINDOW_LINES_MAX),
    Math.ceil(days / 400),
  );
  const longer = lines.renewals.length >= lines.reversals.length ? lines.renewals : lines.reversals;
  const times = longer.map((line) => line.atMs).toSorted((a, b) => a - b);
  let bound = 0;
  for (let window = 0; window < windows; window += 1) {
    const from = window === 0 ? -Infinity : (times[Math.floor((times.length * window) / windows)] ?? Infinity);
    const until = window === windows - 1 ? Infinity : (times[Math.floor((times.length * (window + 1)) / windows)] ?? Infinity);
    const answers = [...countAnswers(lines, from, until).values()];
    bound += Math.max(1, ...answers, Math.ceil(answers.reduce((sum, count) => sum + count, 0) / PAGE_RECIPIENTS_MAX));
  }
  return bound;
}

/** The calls of a plan that halves any window and any recipient that is too large. */
function bisectionCalls(lines: Lines, fromMs: number, untilMs: number): number {
  const inside = within(lines, fromMs, untilMs);
  const middle = Math.floor((fromMs + untilMs) / 2);
  if (Math.max(inside.renewals.length, inside.reversals.length) > WINDOW_LINES_MAX) {
    return 1 + bisectionCalls(inside, fromMs, middle) + bisectionCalls(inside, middle, untilMs);
  }
  const answers = countAnswers(inside, fromMs, untilMs);
  const cut = [...answers].filter(([, count]) => count > 1).map(([recipient]) => recipient);
  const filled = cut.reduce((sum, recipient) => sum + halve(only(inside, recipient), fromMs, untilMs), 0);
  return Math.max(1, Math.ceil(answers.size / PAGE_RECIPIENTS_MAX)) + filled;
}

function halve(lines: Lines, fromMs: number, untilMs: number): number {
  if (Math.max(lines.renewals.length, lines.reversals.length) <= INLINE_LINES_MAX || untilMs - fromMs <= 1) return 0;
  const middle = Math.floor((fromMs + untilMs) / 2);
  return 2 + halve(within(lines, fromMs, middle), fromMs, middle) + halve(within(lines, middle, untilMs), middle, untilMs);
}

function countAnswers(lines: Lines, fromMs: number, untilMs: number): Map<number, number> {
  const answers = new Map<number, number>();
  for (const list of [lines.renewals, lines.reversals]) {
    const counts = new Map<number, number>();
    for (const { recipient, atMs } of list) if (atMs >= fromMs && atMs < untilMs) counts.set(recipient, (counts.get(recipient) ?? 0) + 1);
    for (const [recipient, count] of counts)
      answers.set(recipient, Math.max(answers.get(recipient) ?? 1, Math.ceil(count / INLINE_LINES_MAX)));
  }
  return answers;
}

function within(lines: Lines, fromMs: number, untilMs: number): Lines {
  const isInside = (line: CountedLine): boolean => line.atMs >= fromMs && line.atMs < untilMs;
  return { renewals: lines.renewals.filter(isInside), reversals: lines.reversals.filter(isInside) };
}

function only(lines: Lines, recipient: number): Lines {
  const isTheirs = (line: CountedLine): boolean => line.recipient === recipient;
  return { renewals: lines.renewals.filter(isTheirs), reversals: lines.reversals.filter(isTheirs) };
}
