import { sql } from 'kysely';
import { listMonths as findMonths } from '#db/evidence/reads/months.ts';
import { openDb } from '#db/kit/open.ts';
import { addMonths, listMonths, monthWindow } from '#lib/core/month.ts';
import type { Bench, Goal, Measurement, Round } from './goal.ts';
import { median } from './judge.ts';
import { FULL_MONTH, MONTHS, openMonthBook } from './product/month-book.ts';

const TIMES = 200;

/** G11: what the trend over three years costs. */
export const trend: Goal = {
  id: 'G11',
  title: 'the trend over 36 windows',
  rounds: 3,
  works: { trend: { work: 'figures of 36 months', unit: 'ms', beside: 'select 1 in the same session', goal: { most: 1.5 } } },
  open,
};

async function open(bench: Bench): Promise<Measurement> {
  const book = await openMonthBook(bench);
  const { db, close } = openDb(book.databaseUrl, { poolSize: 1 });
  const windows = listMonths(addMonths(FULL_MONTH, 1 - MONTHS), FULL_MONTH).map((month) => monthWindow(month, 'UTC'));
  const time = async (work: () => Promise<unknown>): Promise<number> => {
    const startedAt = performance.now();
    await work();
    return performance.now() - startedAt;
  };
  async function round(): Promise<Round> {
    const [figures, limits]: [number[], number[]] = [[], []];
    for (let at = 0; at < TIMES; at += 1) {
      limits.push(await time(() => sql`select 1`.execute(db)));
      figures.push(await time(() => findMonths(db, { gameId: book.gameId, timeZone: 'UTC' }, windows)));
    }
    return { trend: { figure: median(figures), limit: median(limits) } };
  }
  return {
    round,
    close: async () => {
      await close();
    },
  };
}
