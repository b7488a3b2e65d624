'use client';

import type { ReactElement } from 'react';
import { countNoun, formatCount, formatTime } from '#app/_ui/figures/format.ts';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { JobProgress, type ProgressText } from '#app/_ui/words/job-progress.tsx';
import type { BalanceJob } from '#lib/balances/reads.ts';
import { labelJob } from '#lib/balances/text.ts';
import { stopBalancesAction } from '../actions.ts';

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
  const { addressCount, foundCount, unknownCount, unansweredCount, receivedBytes } = job;
  const answered = foundCount + unknownCount + unansweredCount;
  const soFar =
    addressCount === null
      ? `${countNoun(foundCount, 'player')} read · ${formatCount(Math.round(receivedBytes / 1024))} KiB received`
      : `Asked for ${formatCount(answered)} of ${countNoun(addressCount, 'email')} · ${formatCount(foundCount)} found · ${formatCount(unknownCount)} unknown · ${formatCount(unansweredCount)} not answered`;
  return {
    title: labelJob(job),
    sentence: `${soFar} · continues when you close this tab`,
    done: addressCount === null ? null : answered / Math.max(1, addressCount),
    waiting: job.waitingUntil === null ? null : `Waiting for Invo’s rate limit until ${formatTime(job.waitingUntil, 'UTC')} UTC.`,
  };
}
