import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CompiledQuery } from 'kysely';
import { type OpenDb, openDb } from '#db/kit/open.ts';
import { startPostgres } from '#lib/start/postgres/embedded-postgres.ts';
import { CASES, type Case } from './book/cases.ts';
import { type BookSize, fillBook } from './book/fill-book.ts';
import { readPlan, recordQueries, type SentQuery } from './book/record-queries.ts';

// What a look-up in 10,000,000 stored lines costs, against `select 1` and against 100,000 lines (performance goals 10 and 13).
// `node e2e/bench/search.ts [folder [words]]`: 15 GB and ten minutes to fill; with a folder the books stay there for the next run, of which words name a part.
// Needs no network.

const SIZES: Record<'small' | 'large', BookSize> = {
  small: { slices_a_month: 1, per_slice: 2_778, snapshots_a_month: 1, refunds: 1_000 },
  large: { slices_a_month: 14, per_slice: 19_842, snapshots_a_month: 10, refunds: 100_000 },
};
const LINE_TABLES = ['renewal_line', 'reversal_line', 'refund_event'];
const FLAGS = [
  'fsync=off',
  'synchronous_commit=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=8GB',
  'shared_buffers=2GB',
  'maintenance_work_mem=1GB',
  'autovacuum=off',
];
const NO_GOAL = Number.POSITIVE_INFINITY;
const MOST: Record<Case['group'], { own: number; query: number }> = {
  'look-up': { own: 1.5, query: 2.75 },
  page: { own: 1.5, query: NO_GOAL },
  register: { own: NO_GOAL, query: NO_GOAL },
};
const WHOLE_US_MAX = 20_000;
const ROUNDS = 3;
const SAMPLES = 60;
const CASE_MS_MAX = 4_000;

interface Book {
  open: OpenDb;
  /** The same book over one connection, so that a query and `select 1` run in the same session. */
  session: OpenDb;
  samples: Map<Case, string[]>;
  hear: ReturnType<typeof recordQueries>;
}

const [, , kept, only = ''] = process.argv;
const folder = kept ?? mkdtempSync(path.join(tmpdir(), 'sharebook-bench-'));
mkdirSync(folder, { recursive: true });
const server = await startPostgres({ folder, flags: FLAGS });
try {
  const small = await openBook('small');
  const large = await openBook('large');
  say('| asked for | µs at 100k | µs at 10M | of 100k | of select 1 | queries | dearest of select 1 | each | read whole |');
  say('|---|---|---|---|---|---|---|---|---|');
  for (const each of CASES.filter(({ name }) => name.includes(only))) say(await measure(each, small, large));
  for (const { open, session } of [small, large]) await Promise.all([open.close(), session.close()]);
} finally {
  await server.stop();
  if (!kept) rmSync(folder, { recursive: true, force: true });
}

async function openBook(name: 'small' | 'large'): Promise<Book> {
  const url = await fillBook(server, `bench_${name}`, SIZES[name], (line) => process.stderr.write(`${line}\n`));
  const [open, session] = [openDb(url), openDb(url, { poolSize: 1 })];
  const hear = recordQueries(open.pool);
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
  return { open, session, samples, hear };
}

async function measure(each: Case, small: Book, large: Book): Promise<string> {
  const took = { small: [] as number[], large: [] as number[], nothing: [] as number[] };
  const sent: SentQuery[][] = [];
  for (const at of turns()) {
    const [of_small = '', of_large = ''] = [small, large].map((book) => book.samples.get(each)?.[at % SAMPLES]);
    took.nothing.push(await time(() => large.session.pool.query('select 1')));
    took.small.push(await time(() => each.run(small.open, of_small)));
    took.large.push(await time(async () => sent.push(await large.hear(() => each.run(large.open, of_large)))));
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

/** What each query of a look-up costs by itself, in times `select 1` asked right before it. */
async function measureQueries(sent: SentQuery[][], large: Book): Promise<number[]> {
  const took: { query: number[]; nothing: number[] }[] = [];
  for (const at of turns()) {
    for (const [no, query] of (sent[at % sent.length] ?? []).entries()) {
      const { query: of_query, nothing } = (took[no] ??= { query: [], nothing: [] });
      nothing.push(await time(() => large.session.pool.query('select 1')));
      of_query.push(await time(() => replay(large, query)));
    }
  }
  return took.map(({ query, nothing }) => median(query) / median(nothing));
}

function* turns(): Generator<number> {
  const until = performance.now() + CASE_MS_MAX;
  for (let at = 0; at < ROUNDS * SAMPLES && (at < 5 || performance.now() < until); at += 1) yield at;
}

function judge(ratio: number, most: number): string {
  return `${ratio.toFixed(2)}${ratio <= most ? '' : ' MISSED'}`;
}

async function replay({ session }: Book, { text, values }: SentQuery): Promise<unknown> {
  return session.db.executeQuery(CompiledQuery.raw(text, values));
}

async function listScans({ open }: Book, sent: SentQuery[]): Promise<string> {
  const plans = await Promise.all(sent.map((query) => readPlan(open.pool, query)));
  if (process.env['BENCH_PLANS']) process.stderr.write(`${JSON.stringify(plans)}\n`);
  const { rows: small } = await open.pool.query<{ name: string }>('select relname as name from pg_class where reltuples < 1000');
  const scans = [...new Set(plans.flatMap((plan) => plan.scans))].filter((table) => !small.some(({ name }) => name === table));
  return scans.map((table) => (LINE_TABLES.includes(table) ? `${table} MISSED` : table)).join(', ');
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) * 1000;
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
