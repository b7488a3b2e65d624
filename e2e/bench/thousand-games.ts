import { once } from 'node:events';
import os from 'node:os';
import { Worker } from 'node:worker_threads';
import type { OpenWithPool } from '#e2e/support/db/open-with-pool.ts';
import type { GameConfig } from '#lib/config.ts';
import { renderDue } from '#lib/evidence/render-snapshot.ts';
import { openGame } from '#lib/games/open-game.ts';
import { createHandlers } from '#lib/jobs/handlers.ts';
import { createUpstream } from '../upstream/server.ts';
import { type MonthCost, simulateMonthEnd, timeOfPull } from './month-end.ts';
import { ask, load } from './product/load.ts';
import { BENCH_GAME, startWeb } from './product/web.ts';
import { gameAt, NOW, OCTOBER, openPullBench, type PullBench, pullOnce } from './pull-bench.ts';

// Figures for 1,000 games, by hand: `node e2e/bench/thousand-games.ts`. What one game, page and tick cost is measured here; how long 1,000
// games take follows from it by simulating the queue, the workers and the budget of each game call by call.

/** How many games of each kind there are, by the month they have. Assumed. */
const MIX: { world: string; games: number; says: string }[] = [
  { world: 'small', games: 800, says: '900 renewals of 60 recipients' },
  { world: 'renewals-39', games: 150, says: '20,000 renewals of 39 recipients' },
  { world: 'maximal', games: 40, says: '20,000 renewals and 20,000 reversals of 2,000 recipients' },
  { world: 'singles', games: 10, says: '20,000 recipients of one renewal' },
];
const ASSUMED = {
  /** Calls of one game in any minute, as Sharebook allows itself. */
  callsPerMinute: 55,
  /** Calls of one pull in flight. */
  callsAtOnce: 4,
  /** Invo's answer to one call. */
  call_s: 0.4,
  /** Months stored. */
  months: 36,
  /** Snapshots of the open month, one a day. */
  openSnapshots: 30,
  /** A reader opens a page this often, and each page requests two routes. */
  page_s: 30,
  routesPerPage: 2,
  /** Share of a process that readers may use. */
  used: 0.6,
};
/** Months measured of each kind. */
const ROUNDS = 5;
const WORKERS = [1, 4, 16, 64];
const READERS = [100, 1_000, 5_000];
const GAMES = MIX.reduce((sum, { games }) => sum + games, 0);

interface Month extends MonthCost {
  lines: number;
  /** Bytes the month adds to the database, indexes included, and those of one snapshot of it without its slices. */
  bytes: number;
  snapshotBytes: number;
}

interface Serving {
  pagesPerSecond: number;
  answersPerSecond: number;
  pageStatements: number;
  answerStatements: number;
}

const say = (line: string): boolean => process.stderr.write(`${line}\n`);

async function measureMonth(pulls: PullBench, world: string): Promise<Month & { open: OpenWithPool & { url: string } }> {
  const open = await pulls.openDatabase(`bench_games_${world}`.replaceAll('-', '_'));
  const upstream = await createUpstream({ now: NOW, world: `distribution:${world}` });
  await fetch(`${upstream.controlUrl}/game`, { method: 'POST', body: JSON.stringify({ rateLimit: false }) });
  const stub = new Worker(new URL('pull-stub.ts', import.meta.url), { workerData: { upstreamUrl: upstream.url } });
  const [port] = (await once(stub, 'message')) as [number];
  const baseUrl = `http://127.0.0.1:${port}`;
  // The first pull fills the stub and the first page of every table; what comes on top of it is what a month costs.
  const { job, snapshot } = await pullOnce(open, baseUrl, OCTOBER);
  const game = await openGame(open.db, gameAt(baseUrl), { settleLag_minutes: 15, now: () => NOW });
  await renderDue(game);
  const before = await sizeOf(open);
  const took = { pull_s: 0, render_s: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    took.pull_s += (await pullOnce(open, baseUrl, OCTOBER, true)).took_ms / 1_000;
    const started_at = performance.now();
    await renderDue(game);
    took.render_s += (performance.now() - started_at) / 1_000;
  }
  const after = await sizeOf(open);
  await stub.terminate();
  await upstream.close();
  return {
    calls: job.calls,
    lines: snapshot.renewalLineCount + snapshot.reversalEventCount,
    pull_s: took.pull_s / ROUNDS,
    render_s: took.render_s / ROUNDS,
    bytes: (after.database - before.database) / ROUNDS,
    snapshotBytes: (after.snapshots - before.snapshots) / ROUNDS,
    open,
  };
}

async function sizeOf({ pool }: OpenWithPool): Promise<{ database: number; snapshots: number }> {
  await pool.query('vacuum');
  await pool.query('checkpoint');
  const { rows } = await pool.query<{ database: string; snapshots: string }>(
    `select pg_database_size(current_database()) as database, (select sum(pg_total_relation_size(oid)) from pg_class
       where relkind = 'r' and relname in ('snapshot', 'snapshot_slice', 'snapshot_check', 'snapshot_recipient')) as snapshots`,
  );
  return { database: Number(rows[0]?.database), snapshots: Number(rows[0]?.snapshots) };
}

/** What one web process serves of a full month, and what it sends to the database for that. */
async function measureServing({ url, pool }: OpenWithPool & { url: string }): Promise<Serving> {
  const web = await startWeb({ databaseUrl: url, say });
  const headers = { cookie: web.cookie };
  const { rows } = await pool.query<{ id: number }>(`select snapshot_id as id from current_window where status = 'complete'`);
  const month = `${web.origin}/${BENCH_GAME}/months/2026-10`;
  const requests = { page: { url: month, headers }, answer: { url: `${month}/table/recipients?snapshot=${rows[0]?.id}`, headers } };
  const routes = { page: '/[game]/months/[month]', answer: '/[game]/months/[month]/table/[part]' };
  try {
    for (const each of Object.values(requests)) {
      const { status } = await ask(each);
      if (status !== 200) throw new Error(`${each.url} answered ${status}`);
    }
    const readMetrics = async (): Promise<string> => await (await fetch(`${web.origin}/metrics`)).text();
    const before = await readMetrics();
    const served = { page: await load(requests.page, LOAD), answer: await load(requests.answer, LOAD) };
    const after = await readMetrics();
    return {
      pagesPerSecond: served.page.perSecond,
      answersPerSecond: served.answer.perSecond,
      pageStatements: statementsOf(before, after, routes.page),
      answerStatements: statementsOf(before, after, routes.answer),
    };
  } finally {
    await web.stop();
  }
}

const LOAD = { connections: 16, seconds: 10 };

/** Statements of one request of a route, on average over the requests between two readings. */
function statementsOf(before: string, after: string, route: string): number {
  const figure = (metrics: string, name: string): number =>
    metrics
      .split('\n')
      .filter((line) => line.startsWith(`sharebook_request_statements_${name}{`) && line.includes(`route="${route}"`))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  const between = (name: string): number => figure(after, name) - figure(before, name);
  return between('sum') / between('count');
}

/** What one minute's tick costs over 1,000 games. Seconds, the second time: the first one stores the games. */
async function measureTick({ db }: OpenWithPool): Promise<number> {
  const games: GameConfig[] = Array.from({ length: GAMES }, (_, index) => ({ ...gameAt('http://127.0.0.1:9'), slug: `game-${index}` }));
  const { tick } = createHandlers(
    { games, isSimulated: false, hasDemoRefunds: false, readsDetails: false, origin: 'http://localhost' },
    {
      open: (game) => openGame(db, game, { settleLag_minutes: 15, now: () => NOW }),
      db,
      owner: 'bench',
      signal: new AbortController().signal,
      log: (event, fields) => void say(`${event} ${JSON.stringify(fields)}`),
    },
  );
  await tick.run(null);
  const started_at = performance.now();
  await tick.run(null);
  return (performance.now() - started_at) / 1_000;
}

/** The games in the order they come due, kinds mixed evenly. */
function listPulls(months: Month[]): Month[] {
  const places = MIX.flatMap(({ games }, kind) =>
    Array.from({ length: games }, (_, index) => ({ share: (index + 0.5) / games, month: months[kind] })),
  );
  return places.toSorted((a, b) => a.share - b.share).flatMap(({ month }) => month ?? []);
}

function formatTime(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}

const total = (months: Month[], count: (month: Month) => number): number =>
  MIX.reduce((sum, { games }, kind) => sum + games * (months[kind] ? count(months[kind]) : 0), 0);

function print(months: Month[], serving: Serving, tick_s: number): void {
  const out = (line: string): boolean => process.stdout.write(`${line}\n`);
  const month = (kind: number): Month => months[kind] as Month;
  out(
    `Measured on ${os.cpus().length} cores (${os.cpus()[0]?.model.trim()}), Node ${process.versions.node}, load ${os.loadavg()[0]?.toFixed(1)}.\n`,
  );
  out('| Games | A month of each | Calls | Pull, own work | Alone, from first call to snapshot | Rendering | Disk | per 1,000 lines |');
  out('|---|---|---|---|---|---|---|---|');
  for (const [kind, { games, says }] of MIX.entries()) {
    const { calls, pull_s, render_s, bytes, lines } = month(kind);
    const perLines = bytes / (lines / 1_000) / 1e3;
    out(
      `| ${games} | ${says} | ${calls} | ${pull_s.toFixed(1)} s | ${formatTime(timeOfPull(month(kind), ASSUMED))} | ${render_s.toFixed(1)} s | ${(bytes / 1e6).toFixed(1)} MB | ${perLines.toFixed(0)} kB |`,
    );
  }
  const daily = total(months, (each) => each.snapshotBytes) * ASSUMED.openSnapshots;
  const disk = total(months, (each) => each.bytes);
  out('\n| 1,000 games | |\n|---|---|');
  for (const workers of WORKERS) {
    const done = simulateMonthEnd(listPulls(months), workers, ASSUMED).toSorted((a, b) => a - b);
    const half = done[Math.floor(done.length / 2)] ?? 0;
    out(
      `| every month complete, ${workers} worker${workers > 1 ? 's' : ''} | ${formatTime(done.at(-1) ?? 0)}; half of them after ${formatTime(half)} |`,
    );
  }
  out(`| one tick of the schedule | ${tick_s.toFixed(1)} s of each minute |`);
  for (const readers of READERS) {
    const pages = readers / ASSUMED.page_s;
    const answers = pages * ASSUMED.routesPerPage;
    const processes = Math.ceil((pages / serving.pagesPerSecond + answers / serving.answersPerSecond) / ASSUMED.used);
    const statements = pages * serving.pageStatements + answers * serving.answerStatements;
    out(
      `| ${readers.toLocaleString('en-US')} readers | ${processes} web process${processes > 1 ? 'es' : ''}, ${statements.toFixed(0)} statements a second |`,
    );
  }
  out(
    `| disk after ${ASSUMED.months} months | ${((disk * ASSUMED.months) / 1e12).toFixed(2)} TB, and ${((daily * ASSUMED.months) / 1e12).toFixed(2)} TB of daily snapshots of open months |`,
  );
  out(
    `\nMeasured: calls, own work, rendering and disk of a pulled month; one web process: ${serving.pagesPerSecond.toFixed(0)} month pages or ${serving.answersPerSecond.toFixed(0)} table answers a second, with ${serving.pageStatements.toFixed(1)} and ${serving.answerStatements.toFixed(1)} statements; the tick.`,
  );
  out(
    `Assumed: the mix of games; all months due at once; ${ASSUMED.callsPerMinute} calls a minute for each game, ${ASSUMED.callsAtOnce} at once, ${ASSUMED.call_s} s each; a core and one game at a time for each worker; a reader opens a page every ${ASSUMED.page_s} s and it asks ${ASSUMED.routesPerPage} routes; ${ASSUMED.used * 100} % of a web process used; ${ASSUMED.openSnapshots} snapshots of each open month.`,
  );
}

const pulls = await openPullBench(true);
try {
  const months: Month[] = [];
  let serving: Serving | null = null;
  let tick_s = 0;
  for (const { world } of MIX) {
    const { open, ...month } = await measureMonth(pulls, world);
    say(`${world}: ${JSON.stringify(month)}`);
    months.push(month);
    if (world === 'maximal') {
      serving = await measureServing(open);
      tick_s = await measureTick(open);
    }
    await open.close();
  }
  if (serving === null) throw new Error('no full month was measured');
  print(months, serving, tick_s);
} finally {
  await pulls.close();
}
