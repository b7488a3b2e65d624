import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { OpenWithPool } from '#e2e/support/db/open-with-pool.ts';
import { sumMoney } from '#lib/core/money.ts';
import { createUpstream } from '../upstream/server.ts';
import type { Bench, Goal, Measurement, Round } from './goal.ts';
import { NOW, OCTOBER, openPullBench, pullOnce } from './pull-bench.ts';

const TABLES = ['slice_recipient', 'renewal_line', 'reversal_line', 'refund_event'];
const AMOUNTS = 1_000_000;

/** G4: what a pull of a maximal month costs beside parsing its answers and loading its rows. */
export const localPull: Goal = {
  id: 'G4',
  title: "a pull's own work on a maximal month",
  rounds: 9,
  works: {
    pull: {
      work: 'pull of a maximal month from a local stub',
      unit: 'ms',
      beside: 'JSON.parse + bare COPY of the same rows',
      goal: { most: 1.75 },
    },
  },
  open: openLocal,
};

/** G14: what a sum of a million amounts costs beside one pass over their characters. */
export const moneySum: Goal = {
  id: 'G14',
  title: 'sum of 1,000,000 amounts',
  rounds: 9,
  works: { sum: { work: 'sum of 1,000,000 amounts, exact', unit: 'ms', beside: 'a bare loop over the characters', goal: { most: 1.3 } } },
  open: async () => ({ round: sumRound(), close: async () => undefined }),
};

async function openLocal(bench: Bench): Promise<Measurement> {
  const pulls = await openPullBench(true);
  const open = await pulls.openDatabase('bench_local');
  const upstream = await createUpstream({ now: NOW, world: 'max-month' });
  await fetch(`${upstream.controlUrl}/game`, { method: 'POST', body: JSON.stringify({ rateLimit: false }) });
  const stub = new Worker(new URL('pull-stub.ts', import.meta.url), { workerData: { upstreamUrl: upstream.url } });
  const [port] = (await once(stub, 'message')) as [number];
  const baseUrl = `http://127.0.0.1:${port}`;
  // The first pull fills the stub, and its rows are those the limit loads.
  const { job } = await pullOnce(open, baseUrl, OCTOBER);
  const bodies = await readBodies(open);
  const rows = await readRows(open);
  for (const table of TABLES) await open.pool.query(`create table bare_${table} (like ${table} including all)`);
  bench.say(`G4: ${job.calls} calls, ${Math.round(bodies.reduce((sum, body) => sum + body.length, 0) / 1e6)} MB of JSON`);
  return {
    async round(): Promise<Round> {
      const limit = timeOf(() => bodies.forEach((body) => JSON.parse(body.toString('utf8')))) + (await timeOfCopy(open, rows));
      const { took_ms } = await pullOnce(open, baseUrl, OCTOBER, true);
      return { pull: { figure: took_ms, limit } };
    },
    async close(): Promise<void> {
      await stub.terminate();
      await upstream.close();
      await open.close();
      await pulls.close();
    },
  };
}

async function readBodies({ pool }: OpenWithPool): Promise<Buffer[]> {
  const { rows } = await pool.query<{ body: Buffer }>('select body from response order by response_id');
  return rows.map((row) => gunzipSync(row.body));
}

async function readRows({ pool }: OpenWithPool): Promise<Map<string, Buffer[]>> {
  const client = await pool.connect();
  const rows = new Map<string, Buffer[]>();
  for (const table of TABLES) {
    const chunks: Buffer[] = [];
    for await (const chunk of client.query(copyTo(`copy ${table} to stdout`))) chunks.push(chunk as Buffer);
    rows.set(table, inChunks(Buffer.concat(chunks)));
  }
  client.release();
  return rows;
}

function inChunks(whole: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(whole.length / 65_536) }, (_, index) => whole.subarray(index * 65_536, (index + 1) * 65_536));
}

/** Loads the rows in one durable transaction, into tables emptied before. */
async function timeOfCopy({ pool }: OpenWithPool, rows: Map<string, Buffer[]>): Promise<number> {
  await pool.query(`truncate ${TABLES.map((table) => `bare_${table}`).join(', ')}`);
  const before = performance.now();
  const client = await pool.connect();
  await client.query('begin');
  for (const [table, chunks] of rows) await pipeline(Readable.from(chunks), client.query(copyFrom(`copy bare_${table} from stdin`)));
  await client.query('commit');
  client.release();
  return performance.now() - before;
}

function sumRound(): () => Promise<Round> {
  const amounts = Array.from(
    { length: AMOUNTS },
    (_, index) => `${(index * 7919) % 10_000}.${String((index * 31) % 100).padStart(2, '0')}`,
  );
  return async () => {
    let bare = 0;
    const limit = timeOf(() => {
      bare = sumCharacters(amounts);
    });
    let exact = '';
    const figure = timeOf(() => {
      exact = sumMoney(amounts);
    });
    if (exact !== (bare / 100).toFixed(2)) throw new Error(`the sums differ: ${exact}`);
    return { sum: { figure, limit } };
  };
}

/** The least work there is: every character is read once. Knows that each amount has two decimals. */
function sumCharacters(amounts: string[]): number {
  let sum = 0;
  for (const amount of amounts) {
    let value = 0;
    for (let index = 0; index < amount.length; index += 1) {
      const code = amount.charCodeAt(index);
      if (code !== 46) value = value * 10 + code - 48;
    }
    sum += value;
  }
  return sum;
}

function timeOf(work: () => void): number {
  const before = performance.now();
  work();
  return performance.now() - before;
}
