import type { Tone } from '#app/_ui/words/status.tsx';
import type { SnapshotFacts, WindowFacts } from '#db/evidence/reads/months.ts';
import { compareInstants } from '#lib/core/instant.ts';
import type { Month } from '#lib/core/month.ts';
import { isClosed } from '#lib/core/window.ts';
import { formatMonthState, type MonthState } from '#lib/evidence/text.ts';

/** A month as a row: what is stored, its state, and the net of the month before. */
export interface MonthRow extends WindowFacts {
  month: Month;
  state: MonthState;
  /** The state as text. */
  label: string;
  /** null: the month before isn’t stored, not over or not reconciled, so nothing is compared. */
  netBefore: string | null;
}

export const MONTH_STATE_TONES: Record<MonthState, Tone> = {
  not_started: 'quiet',
  not_pulled: 'quiet',
  pulling: 'busy',
  failed: 'bad',
  open: 'wait',
  incomplete: 'wait',
  not_reconciled: 'bad',
  reconciled: 'good',
  reconciled_with_warnings: 'wait',
  differs: 'bad',
};

/** The action that asks Invo for a month, by state; null: none. */
const PULL_LABELS: Record<MonthState, string | null> = {
  not_started: null,
  not_pulled: 'Pull',
  pulling: null,
  failed: 'Pull again',
  open: 'Update',
  incomplete: 'Pull the rest',
  not_reconciled: 'Pull again',
  reconciled: 'Re-check now',
  reconciled_with_warnings: 'Re-check now',
  differs: 'Re-check now',
};

/**
 * The state of a month. What is stored comes before what went wrong with a later pull: reconciled figures stay reconciled.
 * `settledUntil` is now minus the settle lag.
 */
export function monthStateOf({ window, snapshot, newer, recheck, pull }: WindowFacts, settledUntil: string): MonthState {
  if (pull?.state === 'queued' || pull?.state === 'running') return 'pulling';
  if (snapshot === null) {
    if (compareInstants(window.start, settledUntil) >= 0) return 'not_started';
    return pull?.state === 'failed' ? 'failed' : 'not_pulled';
  }
  if (snapshot.status === 'inconsistent') return 'not_reconciled';
  if (snapshot.status === 'open') return isClosed(window, settledUntil) ? 'incomplete' : 'open';
  if (newer !== null || recheck?.isEqual === false) return 'differs';
  return warningCountOf(snapshot) > 0 ? 'reconciled_with_warnings' : 'reconciled';
}

/** How many warnings don’t match in a snapshot that reconciles, where every other check matches. */
export function warningCountOf(snapshot: Pick<SnapshotFacts, 'checkCount' | 'checkOkCount'>): number {
  return snapshot.checkCount - snapshot.checkOkCount;
}

/** The action that asks Invo for a month; null where it can’t help: nothing has settled, a pull is running, or the secret is wrong. */
export function pullActionOf({ state, pull }: Pick<MonthRow, 'state' | 'pull'>): { label: string; isFresh: boolean } | null {
  if (pull?.failure?.code === 'unauthorized') return null;
  const label = PULL_LABELS[state];
  return label === null ? null : { label, isFresh: state === 'not_reconciled' };
}

/** Months with their facts, oldest first, each compared with the one before it. Only two reconciled snapshots are compared. */
export function reshapeMonths(months: Month[], facts: WindowFacts[], settledUntil: string): MonthRow[] {
  return facts.map((fact, place) => {
    const state = monthStateOf(fact, settledUntil);
    return {
      ...fact,
      month: months[place] ?? '',
      state,
      label: formatMonthState(state, fact.snapshot === null ? 0 : warningCountOf(fact.snapshot)),
      netBefore: netBefore(fact, facts[place - 1]),
    };
  });
}

function netBefore({ snapshot }: WindowFacts, before: WindowFacts | undefined): string | null {
  if (snapshot?.status !== 'complete' || before?.snapshot?.status !== 'complete') return null;
  return before.snapshot.totals.net_attributed_usd;
}
