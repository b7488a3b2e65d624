'use client';

import type { ReactElement } from 'react';
import { countNoun, formatCount, formatTime } from '#app/_ui/figures/format.ts';
import { JobProgress, type ProgressText } from '#app/_ui/words/job-progress.tsx';
import { capitalise } from '#lib/core/strings.ts';
import type { DetailJobFacts } from '#lib/fees/reads/detail-jobs.ts';

/** A running job with its progress. */
export function DetailProgress({ game, first }: { game: string; first: DetailJobFacts }): ReactElement {
  return <JobProgress address={`/${game}/jobs/details/${first.detailJobId}`} first={first} format={formatDetailProgress} />;
}

/** The progress of a job as text. */
export function formatDetailProgress({
  state,
  readCount,
  plannedCount,
  activity,
  waitingUntil,
}: Pick<DetailJobFacts, 'state' | 'readCount' | 'plannedCount' | 'activity' | 'waitingUntil'>): ProgressText {
  const isPlanned = plannedCount !== null && plannedCount > 0 && plannedCount >= readCount;
  const reports = isPlanned ? `${formatCount(readCount)} of ${countNoun(plannedCount, 'report')}` : countNoun(readCount, 'report');
  const step = activity ?? 'reading detail reports';
  return {
    title: state === 'queued' ? 'Queued' : capitalise(step),
    sentence: `${reports} read · continues when you close this tab`,
    done: isPlanned ? readCount / plannedCount : null,
    waiting: waitingUntil === null ? null : `Waiting for the rate limit until ${formatTime(waitingUntil, 'UTC')} UTC.`,
  };
}
