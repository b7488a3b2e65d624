import type { WindowFacts } from '#db/evidence/reads/months.ts';
import type { MonthState } from '../month-state.ts';

/** What one may ask Invo for, from each state; null: nothing to ask. */
const WORDS: Record<MonthState, string | null> = {
  not_begun: null,
  never_pulled: 'Pull',
  pulling: null,
  failed: 'Pull again',
  open: 'Update',
  not_to_its_end: 'Pull to its end',
  does_not_tie: 'Pull again',
  proven: 'Re-check',
  rechecked: 'Re-check',
  differs: 'Re-check',
};

/** The word of the button that asks Invo for a month; null where asking cannot help: nothing has settled, it is under way, or the secret is wrong. */
export function askFor({ state, pull }: Pick<WindowFacts, 'pull'> & { state: MonthState }): { word: string; isFresh: boolean } | null {
  if (pull?.failure?.code === 'unauthorized') return null;
  const word = WORDS[state];
  return word === null ? null : { word, isFresh: state === 'does_not_tie' };
}
