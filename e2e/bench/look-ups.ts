import { CompiledQuery, sql } from 'kysely';
import { type OpenWithPool, openWithPool } from '#e2e/support/db/open-with-pool.ts';
import type { Bench, Goal, Measurement, Reading, Round } from './goal.ts';
import { median } from './judge.ts';
import { CASES, type Case } from './large-database/cases.ts';
import { hasPlan, readPlan } from './large-database/explain.ts';
import { type DatabaseSize, fillDatabase } from './large-database/fill-database.ts';
import { type GivenQuery, recordQueries } from './large-database/record-queries.ts';
import { startLargeServer } from './product/large-server.ts';
import { askInTurn } from './product/load.ts';
import { BENCH_GAME, type RunningWeb, startWeb } from './product/web.ts';

/** 100,000 lines and 10,000,000. */
export const SMALL: DatabaseSize = {
  months: 36,
  slices_a_month: 1,
  per_slice: 2_778,
  snapshots_a_month: 1,
  recipients: 2_000,
  refunds: 1_000,
};
export const LARGE: DatabaseSize = {
  months: 36,
  slices_a_month: 14,
  per_slice: 19_842,
  snapshots_a_month: 10,
  recipients: 2_000,
  refunds: 100_000,
};

/** A database of 36 months, by the name of its database. */
export interface DatabaseSpec {
  name: string;
  size: DatabaseSize;
}

/** A hundred times as many lines as the small database; three times when the run is quick. */
export function sizesOf({ isQuick }: Pick<Bench, 'isQuick'>): { small: DatabaseSpec; large: DatabaseSpec } {
  const large = isQuick ? { name: 'bench_quick', size: { ...SMALL, slices_a_month: 3 } } : { name: 'bench_large', size: LARGE };
  return { small: { name: 'bench_small', size: SMALL }, large };
}

const BY_ID = ['player id', 'subscription id', 'period id', 'transaction id', 'order id'];
const LINE_TABLES = ['renewal_line', 'reversal_line', 'refund_event'];
const SAMPLES = 40;
const APPENDED = 40_000;
const PAGES = 20;

/** G10: what a look-up by an id costs in ten million lines. */
export const lookUps: Goal = {
  id: 'G10',
  title: 'look-ups by id in 10,000,000 lines',
  rounds: 3,
  works: {
    query: { work: 'slowest statement of a look-up by id', unit: 'ms', beside: 'select 1 in the same session', goal: { most: 3 } },
    growth: { work: 'look-up by id in 10,000,000 lines', unit: 'ms', beside: 'in 100,000 lines', goal: { most: 1.5 } },
  },
  open: (bench) => open(bench, lookUpRound),
};

/** G13: what a hundred times the rows cost. */
export const growth: Goal = {
  id: 'G13',
  title: 'a hundred times the rows',
  rounds: 3,
  works: {
    look_up: { work: 'look-up by id in 10,000,000 lines', unit: 'ms', beside: 'in 100,000 lines', goal: { most: 1.5 } },
    month: { work: 'month page over 10,000,000 lines', unit: 'ms', beside: 'over 100,000 lines', goal: { most: 2 } },
    append: { work: '40,000 lines appended to 10,000,000', unit: 'ms', beside: 'to 100,000', goal: { most: 1.5 } },
    scans: { work: 'line tables that a stored read scans in full', unit: 'tables', beside: null, goal: { most: 0 } },
  },
  open: (bench) => open(bench, growthRound),
};

interface TestDatabase {
  open: OpenWithPool;
  url: string;
  /** Over one connection, so that a statement and `select 1` run in one session. */
  session: OpenWithPool;
  record: ReturnType<typeof recordQueries>;
}

interface Books {
  small: TestDatabase;
  large: TestDatabase;
  /** Started when a page is measured. */
  webs(): Promise<{ small: RunningWeb; large: RunningWeb }>;
}

async function open(bench: Bench, round: (books: Books) => Promise<Round>): Promise<Measurement> {
  const server = await startLargeServer(bench);
  const sizes = sizesOf(bench);
  const openTestDatabase = async ({ name, size }: DatabaseSpec): Promise<TestDatabase> => {
    const url = await fillDatabase(server, name, size, bench.say);
    const opened = openWithPool(url);
    return { open: opened, url, session: openWithPool(url, { poolSize: 1 }), record: recordQueries(opened.pool) };
  };
  const [small, large] = [await openTestDatabase(sizes.small), await openTestDatabase(sizes.large)];
  let started: Promise<{ small: RunningWeb; large: RunningWeb }> | null = null;
  const webs = (): Promise<{ small: RunningWeb; large: RunningWeb }> => (started ??= startWebs(bench, small, large));
  return {
    round: () => round({ small, large, webs }),
    close: async () => {
      const running = await started;
      await Promise.all([running?.small.stop(), running?.large.stop()]);
      for (const each of [small, large]) await Promise.all([each.open.close(), each.session.close()]);
      await server.stop();
    },
  };
}

async function startWebs({ say }: Bench, small: TestDatabase, large: TestDatabase): Promise<{ small: RunningWeb; large: RunningWeb }> {
  return { small: await startWeb({ databaseUrl: small.url, say }), large: await startWeb({ databaseUrl: large.url, say }) };
}

async function lookUpRound({ small, large }: Books): Promise<Round> {
  const slowest: Reading[] = [];
  for (const each of casesById()) {
    const [sample = ''] = await samplesOf(large, each, 1);
    for (const query of await large.record(() => each.run(large.open, sample))) slowest.push(await besideNothing(large, query));
  }
  const [query] = slowest.toSorted((a, b) => b.figure / (b.limit ?? 1) - a.figure / (a.limit ?? 1));
  if (!query) throw new Error('a look-up sent no statement');
  return { query, growth: await lookUpGrowth(small, large) };
}

async function growthRound({ small, large, webs }: Books): Promise<Round> {
  const running = await webs();
  const page = ({ origin, cookie }: RunningWeb) => ({ url: `${origin}/${BENCH_GAME}/months/2026-10`, headers: { cookie } });
  const [inLarge, inSmall] = await askInTurn(page(running.large), page(running.small), PAGES);
  return {
    look_up: await lookUpGrowth(small, large),
    month: { figure: median(inLarge), limit: median(inSmall) },
    append: { figure: await append(large), limit: await append(small) },
    scans: { figure: await countScans(large) },
  };
}

/** The cost of all look-ups by id at once, in the large and in the small database in turn. */
async function lookUpGrowth(small: TestDatabase, large: TestDatabase): Promise<Reading> {
  const sums = { figure: 0, limit: 0 };
  for (const each of casesById()) {
    const took: { large: number[]; small: number[] } = { large: [], small: [] };
    const [inLarge, inSmall] = [await samplesOf(large, each, SAMPLES), await samplesOf(small, each, SAMPLES)];
    for (let index = 0; index < SAMPLES; index += 1) {
      took.large.push(await time(() => each.run(large.open, inLarge[index] ?? '')));
      took.small.push(await time(() => each.run(small.open, inSmall[index] ?? '')));
    }
    sums.figure += median(took.large);
    sums.limit += median(took.small);
  }
  return sums;
}

async function besideNothing({ session }: TestDatabase, { text, values }: GivenQuery): Promise<Reading & { limit: number }> {
  const [figures, limits]: [number[], number[]] = [[], []];
  for (let index = 0; index < SAMPLES; index += 1) {
    limits.push(await time(() => sql`select 1`.execute(session.db)));
    figures.push(await time(() => session.db.executeQuery(CompiledQuery.raw(text, values))));
  }
  return { figure: median(figures), limit: median(limits) };
}

/** Inserts copies of stored lines as a new slice would and takes them back; the keys and indexes are the table's own. */
async function append({ open: { pool } }: TestDatabase): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query('begin; set local session_replication_role = replica');
    const { rows } = await client.query<{ column: string }>(
      `select attname as column from pg_attribute where attrelid = 'renewal_line'::regclass and attnum > 0 and not attisdropped order by attnum`,
    );
    const columns = rows.map(({ column }) => column);
    const shifted = columns.map((column) =>
      column === 'slice_id' ? '9000000' : column === 'period_id' ? 'period_id + 5000000000' : column,
    );
    await client.query(`create temp table appended on commit drop as select * from renewal_line order by period_id desc limit ${APPENDED}`);
    return await time(() => client.query(`insert into renewal_line (${columns.join(', ')}) select ${shifted.join(', ')} from appended`));
  } finally {
    await client.query('rollback');
    client.release();
  }
}

async function countScans(book: TestDatabase): Promise<number> {
  const scanned = new Set<string>();
  for (const each of CASES) {
    const [sample = ''] = await samplesOf(book, each, 1);
    const sent = await book.record(() => each.run(book.open, sample));
    for (const query of sent.filter(hasPlan)) for (const table of (await readPlan(book.open.pool, query)).scans) scanned.add(table);
  }
  return LINE_TABLES.filter((table) => scanned.has(table)).length;
}

function casesById(): Case[] {
  return CASES.filter(({ group, name }) => group === 'search' && BY_ID.includes(name));
}

async function samplesOf({ open: { pool } }: TestDatabase, { sample }: Case, count: number): Promise<string[]> {
  const { rows } = await pool.query<{ sample: string }>(
    `select ${sample} as sample from bench.size, generate_series(0, ${count - 1}) as n,
       lateral (select 9 * subscriptions + (n * 7919::bigint * 104729) % (3 * subscriptions) as g) as a`,
  );
  return rows.map((row) => row.sample);
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
