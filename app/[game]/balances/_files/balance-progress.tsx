'use client';

import type { ReactElement } from 'react';
import { formatTime } from '#app/_ui/figures/format.ts';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { JobProgress, type ProgressText } from '#app/_ui/words/job-progress.tsx';
import type { BalanceJob } from '#lib/balances/reads.ts';
import { labelJob } from '#lib/balances/text.ts';
import { stopBalancesAction } from '../actions.ts';
import { describeProgress } from './job-status.tsx';

/** A running job with its progress, and the button that stops it. */
export function BalanceProgress({ game, first, mayStop }: { game: string; first: BalanceJob; mayStop: boolean }): ReactElement {
  return (
    <JobProgress address={`/${game}/jobs/balances/${first.balanceJobId}`} first={first} format={formatProgress}>
      {({ balanceJobId, isStopping, endedAt }) =>
        mayStop &&
        !isStopping &&
        endedAt === null && (
          <ActionForm action={stopBalancesAction} about={{ game, job: balanceJobId }} label="Stop" pendingLabel="Stopping…" />
        )
      }
    </JobProgress>
  );
}

function formatProgress(job: BalanceJob): ProgressText {
  const answered = job.foundCount + job.unknownCount + job.unansweredCount;
  return {
    title: labelJob(job),
    sentence: describeProgress(job),
    done: job.addressCount === null ? null : answered / Math.max(1, job.addressCount),
    waiting: job.waitingUntil === null ? null : `Waiting for Invo’s rate limit until ${formatTime(job.waitingUntil, 'UTC')} UTC.`,
  };
}
