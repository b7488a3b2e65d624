import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { withoutSettings } from '#e2e/runner/run-sharebook.ts';
import { type OpenWithPool, openWithPool } from '#e2e/support/db/open-with-pool.ts';
import { ROOT } from '#lib/start/data-folder.ts';
import { type Bench, type Goal, type Measurement, NOT_BUILT, type Round, type Work } from './goal.ts';
import { fillDatabase } from './large-database/fill-database.ts';
import { startLargeServer } from './product/large-server.ts';
import { ask } from './product/load.ts';
import { FULL_MONTH, openMonthDatabase } from './product/month-book.ts';
import { copySheet, findNewestSnapshot } from './product/sheet-copy.ts';
import { BENCH_GAME, BENCH_NOW, type RunningWeb, startWeb } from './product/web.ts';

/** The only month of the generated databases. */
const GENERATED = '2023-11';
const SIZES = { '40k': [2, 20_000], '1m': [50, 20_000] } as const;
const COPY = 'bare COPY';
const MEMORY_EVERY_MS = 20;

const wall = (work: string): Work => ({ work, unit: 'ms', beside: COPY, goal: { most: 1.25 } });

/** G5: a file of lines written during the request. */
export const liveFiles: Goal = {
  id: 'G5',
  title: 'live CSV of 40,000 and 1,000,000 lines',
  rounds: 3,
  works: {
    route_40k: wall('CSV of 40,000 lines from its route'),
    route_1m: wall('CSV of 1,000,000 lines from its route'),
    command_1m: { ...wall('CSV of 1,000,000 lines by the command'), beside: 'bare COPY in a process of its own' },
    first_byte: { work: 'first byte of 1,000,000 lines', unit: 'ms', beside: null, goal: { most: 50 } },
    memory: { work: 'memory growth of the web process', unit: 'MB', beside: null, goal: { most: 32 } },
  },
  open: openLive,
};

async function openLive(bench: Bench): Promise<Measurement> {
  const server = await startLargeServer(bench);
  const books: Record<string, { url: string; open: OpenWithPool; snapshotId: number; web: RunningWeb }> = {};
  for (const [name, [slices_a_month, per_slice]] of Object.entries(SIZES)) {
    const size = { months: 1, slices_a_month, per_slice, snapshots_a_month: 1, recipients: 2_000, refunds: 1_000 };
    const url = await fillDatabase(server, `bench_file_${name}`, size, bench.say);
    const open = openWithPool(url);
    const web = await startWeb({ databaseUrl: url, say: bench.say });
    books[name] = { url, open, web, snapshotId: await findNewestSnapshot(open.pool, `${GENERATED}-01`) };
  }
  const bookOf = (name: string): (typeof books)[string] => books[name] ?? fail(name);

  async function fromRoute(name: string): Promise<Awaited<ReturnType<typeof ask>>> {
    const { web } = bookOf(name);
    const url = `${web.origin}/${BENCH_GAME}/months/${GENERATED}/export/renewals`;
    const answer = await ask({ url, headers: { cookie: web.cookie } });
    if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
    return answer;
  }
  async function round(): Promise<Round> {
    const copied = async (name: string): Promise<number> =>
      (await copySheet(bookOf(name).open.pool, 'renewals', bookOf(name).snapshotId)).took_ms;
    const small = { figure: (await fromRoute('40k')).took_ms, limit: await copied('40k') };
    const before = bookOf('1m').web.memory();
    const [large, peak] = await watchMemory(bookOf('1m').web, () => fromRoute('1m'));
    return {
      route_40k: small,
      route_1m: { figure: large.took_ms, limit: await copied('1m') },
      command_1m: {
        figure: await runCommand(
          ['lib/start/command.ts', 'export', '--game', BENCH_GAME, '--month', GENERATED, '--sheet', 'renewals', '--out', '-'],
          bookOf('1m').url,
        ),
        limit: await runCommand(
          [path.join('e2e/bench', path.basename(import.meta.filename)), String(bookOf('1m').snapshotId)],
          bookOf('1m').url,
        ),
      },
      first_byte: { figure: large.firstByte_ms },
      memory: { figure: Math.max(0, peak - before) },
    };
  }
  return {
    round,
    close: async () => {
      for (const { web, open } of Object.values(books)) await Promise.all([web.stop(), open.close()]);
      await server.stop();
    },
  };
}

/** G6: the files of a month that can't change any more. */
export const storedFiles: Goal = {
  id: 'G6',
  title: 'stored CSV of a complete month',
  rounds: 5,
  works: { stored: { work: 'stored CSV of 40,000 lines (renewals and reversals, .gz)', unit: 'ms', beside: COPY, goal: { most: 0.15 } } },
  open: openStored,
};

async function openStored(bench: Bench): Promise<Measurement> {
  const database = await openMonthDatabase(bench);
  const open = openWithPool(database.databaseUrl);
  const web = await startWeb({ databaseUrl: database.databaseUrl, say: bench.say });
  const snapshotId = await findNewestSnapshot(open.pool, `${FULL_MONTH}-01`);
  const sheets = ['renewals', 'reversals'] as const;
  const address = (sheet: string): string => `${web.origin}/${BENCH_GAME}/months/${FULL_MONTH}/export/${sheet}`;
  const fetchOf = (url: string): Promise<Response> => fetch(url, { headers: { cookie: web.cookie } });
  const statuses = await Promise.all(sheets.map(async (sheet) => (await fetchOf(`${address(sheet)}.gz`)).status));
  const isBuilt = statuses.every((status) => status === 200);
  if (isBuilt) {
    for (const sheet of sheets) {
      const [stored, live] = [await fetchOf(`${address(sheet)}.gz`), await fetchOf(address(sheet))];
      const unpacked = gunzipSync(Buffer.from(await stored.arrayBuffer()));
      if (digestOf(unpacked) !== digestOf(Buffer.from(await live.arrayBuffer())))
        throw new Error(`the stored ${sheet} differ from the live ones`);
    }
  }
  async function round(): Promise<Round> {
    if (!isBuilt) return { stored: NOT_BUILT };
    let [figure, limit] = [0, 0];
    for (const sheet of sheets) {
      figure += (await ask({ url: `${address(sheet)}.gz`, headers: { cookie: web.cookie } })).took_ms;
      limit += (await copySheet(open.pool, sheet, snapshotId)).took_ms;
    }
    return { stored: { figure, limit } };
  }
  return {
    round,
    close: async () => {
      await Promise.all([web.stop(), open.close()]);
    },
  };
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function watchMemory<T>(web: RunningWeb, work: () => Promise<T>): Promise<[T, number]> {
  let peak = web.memory();
  const timer = setInterval(() => {
    peak = Math.max(peak, web.memory());
  }, MEMORY_EVERY_MS);
  try {
    return [await work(), peak];
  } finally {
    clearInterval(timer);
  }
}

/** How long a process of our Node takes, its start included; its output is read and thrown away. */
async function runCommand(run: string[], databaseUrl: string): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, run, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...withoutSettings(process.env),
      NODE_ENV: 'test',
      DATABASE_URL: databaseUrl,
      INVO_GAME: BENCH_GAME,
      INVO_GAME_NAME: 'Bench',
      INVO_BASE_URL: 'http://127.0.0.1:9',
      INVO_GAME_SECRET: 'upstream-secret',
      SHAREBOOK_NOW: BENCH_NOW,
    },
  });
  child.stdout.resume();
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${run.join(' ')} ended with ${code}`);
  return performance.now() - startedAt;
}

function fail(name: string): never {
  throw new Error(`no book of ${name}`);
}

// The peer of the command: this file as a process of its own.
if (process.argv[1] === import.meta.filename) {
  const { pool, close } = openWithPool(process.env['DATABASE_URL'] ?? '', { poolSize: 1 });
  await copySheet(pool, 'renewals', Number(process.argv[2]));
  await close();
}
