import { type Bench, type Goal, type Measurement, NOT_BUILT, type Round } from './goal.ts';
import { ask, load } from './product/load.ts';
import { FULL_MONTH, openMonthDatabase } from './product/month-book.ts';
import { BENCH_GAME, type RunningWeb, startWeb } from './product/web.ts';

const MONTH = `/${BENCH_GAME}/months/${FULL_MONTH}`;
const LOAD = { connections: 50, seconds: 10 };
const MEMORY_MOST_MB = 350;
const EVERY_MS = 50;

/** G17, the web process: its memory under fifty readers and while it sends files. */
export const webMemory: Goal = {
  id: 'G17',
  title: 'memory of the web process',
  rounds: 1,
  works: {
    readers: { work: 'web process, fifty readers of month pages and rows', unit: 'MB', beside: null, goal: { most: MEMORY_MOST_MB } },
    files: { work: 'web process, four files of a full month at once', unit: 'MB', beside: null, goal: { most: MEMORY_MOST_MB } },
  },
  open,
};

async function open(bench: Bench): Promise<Measurement> {
  const database = await openMonthDatabase(bench);
  const peakOf = async (work: (web: RunningWeb) => Promise<void>): Promise<number> => {
    const web = await startWeb({ databaseUrl: database.databaseUrl, say: bench.say });
    let peak = 0;
    const timer = setInterval(() => {
      peak = Math.max(peak, web.memory());
    }, EVERY_MS);
    try {
      await work(web);
      return peak;
    } finally {
      clearInterval(timer);
      await web.stop();
    }
  };
  async function round(): Promise<Round> {
    const readers = await peakOf(async (web) => {
      const headers = { cookie: web.cookie };
      for (const page of [MONTH, `/${BENCH_GAME}/months`, `/${BENCH_GAME}/lists/renewals/rows?month=${FULL_MONTH}&sort=paid_at&dir=asc`])
        await load({ url: `${web.origin}${page}`, headers }, LOAD);
    });
    const files = await peakOf(async (web) => {
      const addresses = ['renewals', 'reversals', 'renewals', 'reversals'].map((sheet) => `${web.origin}${MONTH}/export/${sheet}`);
      await Promise.all(addresses.map((url) => ask({ url, headers: { cookie: web.cookie } })));
    });
    return { readers: readers > 0 ? { figure: readers } : NOT_BUILT, files: files > 0 ? { figure: files } : NOT_BUILT };
  }
  return { round, close: async () => undefined };
}
