import type { ReactElement } from 'react';
import { countNoun, formatCount } from '#app/_ui/figures/format.ts';
import { Status } from '#app/_ui/words/status.tsx';
import type { BalanceJob } from '#lib/balances/reads.ts';
import { countUnanswered, isActive } from '#lib/balances/rules/balance-job.ts';
import { labelJob } from '#lib/balances/text.ts';
import type { Tone } from '#lib/core/format-text.ts';

/** The state of a job. */
export function JobStatus({ job }: { job: BalanceJob }): ReactElement {
  const tone: Tone = isActive(job.state) ? 'busy' : job.isComplete ? 'good' : 'bad';
  return <Status tone={tone} word={labelJob(job)} />;
}

/** Whose balances a job reads. */
export function describeScope(job: BalanceJob): string {
  return job.addressCount === null ? 'All players' : countNoun(job.addressCount, 'email');
}

/** How many were requested without a readable answer, where that is known. */
export function formatUnanswered(job: BalanceJob): string {
  const count = countUnanswered(job);
  return count === null ? 'Unknown' : formatCount(count);
}

/** How far a job is, in a sentence. */
export function describeProgress(job: BalanceJob): string {
  const { addressCount, foundCount, unknownCount, unansweredCount, receivedBytes } = job;
  const tail = 'continues when you close this tab';
  if (addressCount === null)
    return `${countNoun(foundCount, 'player')} read · ${formatCount(Math.round(receivedBytes / 1024))} KiB received · ${tail}`;
  const answered = foundCount + unknownCount + unansweredCount;
  return `Asked for ${formatCount(answered)} of ${countNoun(addressCount, 'email')} · ${formatCount(foundCount)} found · ${formatCount(unknownCount)} unknown · ${formatCount(unansweredCount)} not answered · ${tail}`;
}
