import { addMonths, listMonths, type Month } from '#lib/core/month.ts';
import type { RunProgress } from './run-content.ts';

/** The months that the demo people close and pay. */
export const DEMO_YEAR_MONTHS = 12;

/** The run of a month that wasn't voided. */
export interface MonthProgress {
  month: Month;
  progress: RunProgress;
}

/**
 * The months of the demo's year, oldest first: from the month of the first run, so that they stay the same when time passes. Without a run, the twelve before the last
 * complete month. `current`: the month of now.
 */
export function listDemoMonths(runs: readonly Pick<MonthProgress, 'month'>[], current: Month): Month[] {
  const [first = addMonths(current, -1 - DEMO_YEAR_MONTHS)] = runs.map(({ month }) => month).toSorted();
  return listMonths(first, addMonths(first, DEMO_YEAR_MONTHS - 1));
}

/** Whether a person started with later months than the demo people would, or continued after them: then nobody closes earlier ones. */
export function isLeftToPeople(runs: readonly MonthProgress[], current: Month): boolean {
  const months = listDemoMonths(runs, current);
  const last = months.at(-1) ?? current;
  const isSentBack = runs.some(({ month, progress }) => progress === 'rejected' && month <= last);
  return isSentBack || last > addMonths(current, -2) || runs.some(({ month }) => month > last);
}

/** Whether a month of the demo's year needs nothing more. A payment of the last one stays open on purpose. */
function isDemoMonthDone({ month, progress }: MonthProgress, months: readonly Month[]): boolean {
  return progress === 'closed' || progress === 'paid' || (progress === 'exported' && month === months.at(-1));
}

/** How many of the demo's months are done while the demo people close them; null: they finished, or left the rest to people. */
export function countDemoMonths(runs: readonly MonthProgress[], current: Month): { done: number; months: number } | null {
  if (isLeftToPeople(runs, current)) return null;
  const months = listDemoMonths(runs, current);
  const done = runs.filter((run) => isDemoMonthDone(run, months)).length;
  return done === months.length ? null : { done, months: months.length };
}
