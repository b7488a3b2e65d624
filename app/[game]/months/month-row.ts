import type { WindowFacts } from '#db/evidence/reads/months.ts';
import type { Month } from '#lib/core/month.ts';
import { MONTH_STATE_WORDS, type MonthState, monthStateOf } from './month-state.ts';

/** A month as a row: what the book holds, its state in words, and the net of the month before. */
export interface MonthRow extends WindowFacts {
  month: Month;
  state: MonthState;
  word: string;
  /** null: the month before is not there, not closed or does not tie, so nothing is compared. */
  netBefore: string | null;
}

/** Months with their facts, oldest first, each compared with the one before it. Only two statements that are complete are compared. */
export function reshapeMonths(months: Month[], facts: WindowFacts[], settledUntil: string): MonthRow[] {
  return facts.map((fact, place) => {
    const state = monthStateOf(fact, settledUntil);
    return {
      ...fact,
      month: months[place] ?? '',
      state,
      word: MONTH_STATE_WORDS[state].word,
      netBefore: netBefore(fact, facts[place - 1]),
    };
  });
}

function netBefore({ snapshot }: WindowFacts, before: WindowFacts | undefined): string | null {
  if (snapshot?.status !== 'complete' || before?.snapshot?.status !== 'complete') return null;
  return before.snapshot.totals.net_attributed_usd;
}
