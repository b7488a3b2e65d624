import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CompiledQuery } from 'kysely';
import { type OpenWithPool, openWithPool } from '#e2e/support/db/open-with-pool.ts';
import { startPostgres } from '#lib/start/postgres/embedded-postgres.ts';
import { CASES, type Case } from './large-database/cases.ts';
import { hasPlan, readPlan } from './large-database/explain.ts';
import { type DatabaseSize, fillDatabase } from './large-database/fill-database.ts';
import { type GivenQuery, recordQueries } from './large-database/record-queries.ts';
import { LARGE, SMALL } from './look-ups.ts';
import { LARGE_SERVER_FLAGS } from './product/large-server.ts';

// Measures a search in 10,000,000 stored lines against `select 1` and against 100,000 lines (performance goals 10 and 13).
// `node e2e/bench/search.ts [folder [words]]`: 15 GB and ten minutes to fill. The databases stay in the folder, if given, for the next run; words select the cases by name.
// Needs no network.

const SIZES: Record<'small' | 'large', DatabaseSize> = { small: SMALL, large: LARGE };
const LINE_TABLES = ['renewal_line', 'reversal_line', 'refund_event'];
const NO_GOAL = Number.POSITIVE_INFINITY;
const MOST: Record<Case['group'], { own: number; query: number }> = {
  search: { own: 1.5, query: 2.75 },
  page: { own: 1.5, query: NO_GOAL },
  register: { own: NO_GOAL, query: NO_GOAL },
};
const WHOLE_US_MAX = 20_000;
const ROUNDS = 3;
const SAMPLES = 60;
const CASE_MS_MAX = 4_000;

interface BenchDatabase {
  open: OpenWithPool;
  /** The same database over one connection, so that a query and `select 1` run in one session. */
  session: OpenWithPool;
  samples: Map<Case, string[]>;
  record: ReturnType<typeof recordQueries>;
}

const [, , folderArgument, only = ''] = process.argv;
const folder = folderArgument ?? mkdtempSync(path.join(tmpdir(), 'sharebook-bench-'));
mkdirSync(folder, { recursive: true });
const server = await startPostgres({ folder, flags: LARGE_SERVER_FLAGS });
try {
  const small = await openDatabase('small');
  const large = await openDatabase('large');
  print('| case | µs at 100k | µs at 10M | of 100k | of select 1 | queries | slowest of select 1 | each | scanned in full |');
  print('|---|---|---|---|---|---|---|---|---|');
  for (const each of CASES.filter(({ name }) => name.includes(only))) print(await measure(each, small, large));
  for (const { open, session } of [small, large]) await Promise.all([open.close(), session.close()]);
} finally {
  await server.stop();
  if (!folderArgument) rmSync(folder, { recursive: true, force: true });
}

async function openDatabase(name: 'small' | 'large'): Promise<BenchDatabase> {
  const url = await fillDatabase(server, `bench_${name}`, SIZES[name], (line) => process.stderr.write(`${line}\n`));
  const [open, session] = [openWithPool(url), openWithPool(url, { poolSize: 1 })];
  const record = recordQueries(open.pool);
  const samples = new Map<Case, string[]>();
  for (const each of CASES) {
    const { rows } = await open.pool.query<{ sample: string }>(
      `select ${each.sample} as sample from bench.size, generate_series(0, ${SAMPLES - 1}) as n,
         lateral (select 9 * subscriptions + (n * 7919::bigint * 104729) % (3 * subscriptions) as g) as a`,
    );
    samples.set(
      each,
      rows.map((row) => row.sample),
    );
  }
  return { open, session, samples, record };
}

async function measure(each: Case, small: BenchDatabase, large: BenchDatabase): Promise<string> {
  const took = { small: [] as number[], large: [] as number[], nothing: [] as number[] };
  const sent: GivenQuery[][] = [];
  for (const round of rounds()) {
    const [of_small = '', of_large = ''] = [small, large].map((database) => database.samples.get(each)?.[round % SAMPLES]);
    took.nothing.push(await time(() => large.session.pool.query('select 1')));
    took.small.push(await time(() => each.run(small.open, of_small)));
    took.large.push(await time(async () => sent.push(await large.record(() => each.run(large.open, of_large)))));
  }
  const [at_small, at_large, nothing] = [median(took.small), median(took.large), median(took.nothing)];
  const most = MOST[each.group];
  const ratios = await measureQueries(sent, large);
  const cells = [
    each.name,
    at_small.toFixed(0),
    `${at_large.toFixed(0)}${each.group !== 'register' && at_large > WHOLE_US_MAX ? ' MISSED' : ''}`,
    judge(at_large / at_small, most.own),
    (at_large / nothing).toFixed(1),
    ratios.length,
    judge(Math.max(...ratios), most.query),
    ratios.length > 1 ? ratios.map((ratio) => ratio.toFixed(1)).join(' ') : '',
    await listScans(large, sent[0] ?? []),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The cost of each query of a search, as a multiple of `select 1` sent just before it. */
async function measureQueries(sent: GivenQuery[][], large: BenchDatabase): Promise<number[]> {
  const took: { query: number[]; nothing: number[] }[] = [];
  for (const round of rounds()) {
    for (const [no, query] of (sent[round % sent.length] ?? []).entries()) {
      const { query: of_query, nothing } = (took[no] ??= { query: [], nothing: [] });
      nothing.push(await time(() => large.session.pool.query('select 1')));
      of_query.push(await time(() => replay(large, query)));
    }
  }
  return took.map(({ query, nothing }) => median(query) / median(nothing));
}

function* rounds(): Generator<number> {
  const until = performance.now() + CASE_MS_MAX;
  for (let index = 0; index < ROUNDS * SAMPLES && (index < 5 || performance.now() < until); index += 1) yield index;
}

function judge(ratio: number, most: number): string {
  return `${ratio.toFixed(2)}${ratio <= most ? '' : ' MISSED'}`;
}

async function replay({ session }: BenchDatabase, { text, values }: GivenQuery): Promise<unknown> {
  return session.db.executeQuery(CompiledQuery.raw(text, values));
}

async function listScans({ open }: BenchDatabase, sent: GivenQuery[]): Promise<string> {
  const plans = await Promise.all(sent.filter(hasPlan).map((query) => readPlan(open.pool, query)));
  if (process.env['BENCH_PLANS']) process.stderr.write(`${JSON.stringify(plans)}\n`);
  const { rows: small } = await open.pool.query<{ name: string }>('select relname as name from pg_class where reltuples < 1000');
  const scans = [...new Set(plans.flatMap((plan) => plan.scans))].filter((table) => !small.some(({ name }) => name === table));
  return scans.map((table) => (LINE_TABLES.includes(table) ? `${table} MISSED` : table)).join(', ');
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) * 1000;
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
