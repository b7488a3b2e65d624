import type { HeldSlice } from '#db/evidence/reads/pulls/find-slices.ts';
import { compareInstants } from '#lib/core/instant.ts';
import { reshapeTotals } from '#lib/invo/routes/attribution-report.ts';
import { type JoinedTotals, joinTotals } from '../rules/totals.ts';
import type { ReadAnswer } from './rebuild-slice.ts';

export interface RebuiltControl {
  totals: JoinedTotals;
  window_count: number;
}

/**
 * Puts the control totals of a snapshot together again: from the answers about adjoining windows its own pull kept, the longest at each
 * place and the last of those, and from a slice's own totals where no answer begins. null when they do not cover the slices.
 */
export function rebuildControl(pullId: number, slices: HeldSlice[], answers: ReadAnswer[]): RebuiltControl | null {
  const own = answers.filter((answer) => answer.pullId === pullId && answer.purpose === 'control');
  const parts: JoinedTotals[] = [];
  for (let at = 0; at < slices.length; ) {
    const slice = slices[at];
    const asked = own
      .filter(({ part }) => slice && compareInstants(part.start, slice.start) === 0)
      .toSorted((a, b) => compareInstants(b.part.end, a.part.end));
    const longest = asked.findLast(({ part }) => compareInstants(part.end, asked[0]?.part.end ?? '') === 0);
    const end = longest?.part.end ?? slice?.end ?? '';
    const next = slices.findIndex((each, index) => index >= at && compareInstants(each.end, end) === 0);
    if (next < 0 || !slice) return null;
    parts.push(longest ? reshapeTotals(longest.report) : slice.totals);
    at = next + 1;
  }
  return parts.length === 0 ? null : { totals: joinTotals(parts), window_count: parts.length };
}
