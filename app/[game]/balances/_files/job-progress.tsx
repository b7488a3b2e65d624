'use client';

import type { ReactElement } from 'react';
import { formatTime } from '#app/_ui/figures/format.ts';
import { ActionForm } from '#app/_ui/forms/action-form.tsx';
import { ProgressCard } from '#app/_ui/words/progress-card.tsx';
import { usePolled } from '#app/[game]/_rows/use-polled.ts';
import type { BalanceJob } from '#lib/balances/reads.ts';
import { labelJob } from '#lib/balances/text.ts';
import { stopBalancesAction } from '../actions.ts';
import { describeProgress } from './job-status.tsx';

/** A running job with its progress, and the button that stops it. */
export function JobProgress({ game, first, mayStop }: { game: string; first: BalanceJob; mayStop: boolean }): ReactElement {
  const { job, isSilent } = usePolled(`/${game}/balances/${first.balanceJobId}/progress`, first);
  const answered = job.foundCount + job.unknownCount + job.unansweredCount;
  const waits = job.waitingUntil === null ? null : `Waiting for Invo’s rate limit until ${formatTime(job.waitingUntil, 'UTC')} UTC.`;
  return (
    <>
      <ProgressCard
        title={labelJob(job)}
        sentence={describeProgress(job)}
        done={job.addressCount === null ? null : answered / Math.max(1, job.addressCount)}
        waiting={isSilent ? 'Couldn’t reach Sharebook. Retrying…' : waits}
      />
      {mayStop && !job.isStopping && job.endedAt === null && (
        <ActionForm action={stopBalancesAction} about={{ game, job: job.balanceJobId }} label="Stop" pendingLabel="Stopping…" />
      )}
    </>
  );
}
