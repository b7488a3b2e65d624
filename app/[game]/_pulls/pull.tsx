'use client';

import type { ReactElement } from 'react';
import { countNoun, formatCount, formatInstantsIn, formatTime, formatUtc } from '#app/_ui/figures/format.ts';
import { FormStatus, HiddenFields, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { JobProgress, type ProgressText } from '#app/_ui/words/job-progress.tsx';
import { capitalise } from '#lib/core/strings.ts';
import type { PullFacts } from '#lib/evidence/reads/pulls.ts';
import { pullMonth } from './actions.ts';
import styles from './pull.module.css';

export interface PullButtonProps {
  game: string;
  /** YYYY-MM. */
  month: string;
  /** Pull everything again as new slices, without reusing what is stored. */
  isFresh?: boolean;
  kind?: 'main' | 'plain' | 'quiet';
  label: string;
  /** What it does in full, where the label is short. */
  name?: string;
  /** The run whose approval waits for it; left out: none. */
  runNo?: number;
}

/** Requests a month from Invo. */
export function PullButton({ game, month, isFresh = false, kind = 'main', label, name, runNo }: PullButtonProps): ReactElement {
  const [state, send] = useFormResult(pullMonth);
  return (
    <form action={send}>
      <HiddenFields about={{ game, month, isFresh: isFresh ? 'yes' : 'no', ...(runNo === undefined ? {} : { runNo }) }} />
      <SubmitButton kind={kind} pendingWord="Starting…" {...(name === undefined ? {} : { label: name })}>
        {label}
      </SubmitButton>
      <FormStatus result={state} />
    </form>
  );
}

/** Pulls any month by its name, years back included. */
export function PullAnother({ game, earliest, latest }: { game: string; earliest: string; latest: string }): ReactElement {
  const [state, send] = useFormResult(pullMonth);
  return (
    <form action={send} className={styles.form}>
      <HiddenFields about={{ game, isFresh: 'no' }} />
      <input
        className={styles.month}
        type="month"
        name="month"
        aria-label="Month"
        min={earliest}
        max={latest}
        placeholder="2025-03"
        required
      />
      <SubmitButton kind="plain" pendingWord="Starting…">
        Pull a month
      </SubmitButton>
      <FormStatus result={state} />
    </form>
  );
}

/** A running pull with its progress. */
export function PullProgress({ game, first }: { game: string; first: PullFacts }): ReactElement {
  return <JobProgress address={`/${game}/jobs/pull/${first.pullId}`} first={first} format={formatProgress} />;
}

/** The progress of a pull as text. */
export function formatProgress({ state, callCount, plannedCallCount, lineCount, waitingUntil, activity }: PullFacts): ProgressText {
  const isPausedByInvo = state === 'queued' && waitingUntil !== null;
  const isPlanned = plannedCallCount !== null && plannedCallCount >= callCount && plannedCallCount > 0;
  const calls = isPlanned ? `${formatCount(callCount)} of ${countNoun(plannedCallCount, 'call')}` : countNoun(callCount, 'call');
  return {
    title: isPausedByInvo
      ? 'Invo asked to wait'
      : state === 'queued'
        ? 'Queued'
        : capitalise(formatInstantsIn(activity ?? 'pulling from Invo')),
    sentence: `${calls} made · ${countNoun(lineCount, 'line')} so far · continues when you close this tab`,
    done: isPlanned ? callCount / plannedCallCount : null,
    waiting:
      waitingUntil === null
        ? null
        : isPausedByInvo
          ? `No call before ${formatUtc(waitingUntil)}, except one every 15 minutes to find out whether Invo answers again.`
          : `Waiting for the rate limit until ${formatTime(waitingUntil, 'UTC')} UTC.`,
  };
}
