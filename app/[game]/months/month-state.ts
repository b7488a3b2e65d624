import type { Tone } from '#app/_ui/words/status.tsx';
import type { WindowFacts } from '#db/evidence/reads/months.ts';
import { compareInstants } from '#lib/core/instant.ts';
import { isClosed } from '#lib/core/window.ts';

/** Where a month stands in the book, exactly one of these. */
export const MONTH_STATES = [
  'not_begun',
  'never_pulled',
  'pulling',
  'failed',
  'open',
  'not_to_its_end',
  'does_not_tie',
  'proven',
  'rechecked',
  'differs',
] as const;
export type MonthState = (typeof MONTH_STATES)[number];

/** How each state reads, and how it reads in a row. */
export const MONTH_STATE_WORDS: Record<MonthState, { tone: Tone; word: string; short: string }> = {
  not_begun: { tone: 'quiet', word: 'Not begun', short: 'Not begun' },
  never_pulled: { tone: 'quiet', word: 'Never pulled', short: 'Never pulled' },
  pulling: { tone: 'busy', word: 'Pulling…', short: 'Pulling…' },
  failed: { tone: 'bad', word: 'Pull failed', short: 'Pull failed' },
  open: { tone: 'wait', word: 'Open', short: 'Open' },
  not_to_its_end: { tone: 'wait', word: 'Ended, not pulled to its end', short: 'Not to its end' },
  does_not_tie: { tone: 'bad', word: 'Does not tie', short: 'Does not tie' },
  proven: { tone: 'good', word: 'Closed, proven to the cent', short: 'Proven' },
  rechecked: { tone: 'good', word: 'Closed, proven, re-checked equal', short: 'Re-checked equal' },
  differs: { tone: 'bad', word: 'Re-check differs', short: 'Re-check differs' },
};

/**
 * Where a month stands. What is held comes before what went wrong with a later pull: figures that were proven stay proven.
 * `settledUntil` is now less the settle lag.
 */
export function monthStateOf({ window, snapshot, newer, recheck, pull }: WindowFacts, settledUntil: string): MonthState {
  if (pull?.state === 'queued' || pull?.state === 'running') return 'pulling';
  if (snapshot === null) {
    if (compareInstants(window.start, settledUntil) >= 0) return 'not_begun';
    return pull?.state === 'failed' ? 'failed' : 'never_pulled';
  }
  if (snapshot.status === 'inconsistent') return 'does_not_tie';
  if (snapshot.status === 'open') return isClosed(window, settledUntil) ? 'not_to_its_end' : 'open';
  if (newer !== null || recheck?.isEqual === false) return 'differs';
  return recheck === null ? 'proven' : 'rechecked';
}
