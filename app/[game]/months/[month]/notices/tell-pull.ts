import { countNoun, formatCount } from '#app/_ui/figures/format-count.ts';
import { formatTime } from '#app/_ui/figures/format-instant.ts';
import { tellInstants } from '#app/_ui/figures/tell-instants.ts';
import type { PullFacts } from '#db/evidence/reads/pulls.ts';

export interface ToldPull {
  title: string;
  /** Figures so far, in words. */
  sentence: string;
  /** From 0 to 1; null: not known yet. */
  done: number | null;
  /** What it waits for; null: nothing. */
  waiting: string | null;
}

/** How far a pull is, in words. `isSilent`: Sharebook itself did not answer the last question. */
export function tellPull(
  { state, callCount, plannedCallCount, lineCount, waitingUntil, activity }: PullFacts,
  isSilent: boolean,
): ToldPull {
  const isPlanned = plannedCallCount !== null && plannedCallCount >= callCount && plannedCallCount > 0;
  const calls = isPlanned
    ? `${formatCount(callCount)} of ${countNoun(plannedCallCount, 'call')} done`
    : `${countNoun(callCount, 'call')} done`;
  return {
    title: state === 'queued' ? 'Waiting for its turn' : capitalise(tellInstants(activity ?? 'pulling from Invo')),
    sentence: `${calls} · ${countNoun(lineCount, 'line')} so far · it goes on when this tab is closed`,
    done: isPlanned ? callCount / plannedCallCount : null,
    waiting: isSilent
      ? 'No answer from Sharebook; asking again.'
      : waitingUntil === null
        ? null
        : `Waiting for the rate limit until ${formatTime(waitingUntil, 'UTC')} UTC.`,
  };
}

function capitalise(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
