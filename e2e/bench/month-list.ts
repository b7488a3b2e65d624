import { type OpenDb, openDb } from '#db/kit/open.ts';
import { listMonths, monthWindow } from '#lib/core/month.ts';
import { listMonths as findMonths } from '#lib/evidence/reads/months.ts';
import type { Bench, Goal, Measurement } from './goal.ts';
import { median } from './judge.ts';
import { fillDatabase } from './large-database/fill-database.ts';
import { sizesOf } from './look-ups.ts';
import { startLargeServer } from './product/large-server.ts';

const TIMES = 200;
const MOST_MS = 5;
/** The months of the generated databases, of which the game is the first. */
const GAME = { gameId: 1, timeZone: 'UTC' };
const WINDOWS = listMonths('2023-11', '2026-10').map((month) => monthWindow(month, GAME.timeZone));

/** G11: what the months page reads from the database. */
export const monthList: Goal = {
  id: 'G11',
  title: 'the statement of a months page with 36 months',
  rounds: 3,
  works: {
    small: { work: 'statement of 36 months over 100,000 lines', unit: 'ms', beside: null, goal: { most: MOST_MS } },
    large: { work: 'statement of 36 months over 10,000,000 lines', unit: 'ms', beside: null, goal: { most: MOST_MS } },
  },
  open,
};

async function open(bench: Bench): Promise<Measurement> {
  const server = await startLargeServer(bench);
  const sizes = sizesOf(bench);
  // One connection each: a statement doesn't wait for another session to open.
  const openBook = async ({ name, size }: typeof sizes.small): Promise<OpenDb> =>
    openDb(await fillDatabase(server, name, size, bench.say), { poolSize: 1 });
  const [small, large] = [await openBook(sizes.small), await openBook(sizes.large)];
  return {
    round: async () => {
      const took: { small: number[]; large: number[] } = { small: [], large: [] };
      for (let time = 0; time < TIMES; time += 1) {
        took.small.push(await timeOf(small));
        took.large.push(await timeOf(large));
      }
      return { small: { figure: median(took.small) }, large: { figure: median(took.large) } };
    },
    close: async () => {
      await Promise.all([small.close(), large.close()]);
      await server.stop();
    },
  };
}

async function timeOf({ db }: OpenDb): Promise<number> {
  const startedAt = performance.now();
  await findMonths(db, GAME, WINDOWS);
  return performance.now() - startedAt;
}
