import { findFirstWindowStart } from '#db/evidence/reads/months.ts';
import type { Db } from '#db/kit/open.ts';
import { addMonths, listMonths, type Month, monthOf } from '#lib/core/month.ts';

/** Months one page shows. */
const MONTHS_SHOWN = 24;

export interface MonthRange {
  /** Oldest first. */
  months: Month[];
  /** The month it is now, in the game's zone. */
  current: Month;
  /** The first month before those shown that the book may know; null: all are shown. */
  earlier: Month | null;
}

/** The months of one page, ending with `until` or the current month: back to the first ever asked for, at least six, at most 24. */
export async function findMonthRange(db: Db, gameId: number, timeZone: string, now: string, until: Month | null): Promise<MonthRange> {
  const current = monthOf(now, timeZone);
  const last = until !== null && until < current ? until : current;
  const start = await findFirstWindowStart(db, gameId);
  const first = start === null ? current : monthOf(start, timeZone);
  const reach = addMonths(last, 1 - MONTHS_SHOWN);
  const begin = first < reach ? reach : ([first, addMonths(last, -5)].toSorted()[0] ?? last);
  return { months: listMonths(begin, last), current, earlier: first < begin ? addMonths(begin, -1) : null };
}
