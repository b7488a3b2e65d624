'use client';

import { useRouter } from 'next/navigation';
import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import styles from './job-progress.module.css';

const POLL_ms = 1_000;

/** The progress of a job as text. */
export interface ProgressText {
  /** The current step. */
  title: string;
  /** Figures so far. */
  sentence: string;
  /** From 0 to 1; null: not known yet. */
  done: number | null;
  /** What it waits for; null: nothing. */
  waiting: string | null;
}

interface JobProgressProps<Job> {
  /** Answers with the job as it is now. */
  address: string;
  first: Job;
  format: (job: Job) => ProgressText;
  /** Content below the card. */
  children?: (job: Job) => ReactNode;
}

/** A running job: its step, its progress, and what it waits for. When it ends, the page is refreshed. Closing the tab doesn’t stop the job. */
export function JobProgress<Job extends { endedAt: string | null }>({
  address,
  first,
  format,
  children,
}: JobProgressProps<Job>): ReactElement {
  const { job, isSilent } = usePolled(address, first);
  const { title, sentence, done, waiting } = format(job);
  const percent = done === null ? null : Math.round(done * 100);
  return (
    <>
      <section className={styles.card} aria-label="Progress">
        <p className={styles.title}>{title}</p>
        <div
          className={styles.track}
          role="progressbar"
          aria-label={title}
          aria-valuemin={0}
          aria-valuemax={100}
          {...(percent === null ? {} : { 'aria-valuenow': percent })}
        >
          <div className={percent === null ? styles.unknown : styles.bar} style={percent === null ? {} : { width: `${percent}%` }} />
        </div>
        <p className={styles.sentence}>{sentence}</p>
        <p className={styles.waiting} role="status">
          {isSilent ? 'Couldn’t reach Sharebook. Retrying…' : waiting}
        </p>
      </section>
      {children?.(job)}
    </>
  );
}

/** A job, polled every second until it ends. `isSilent`: Sharebook didn’t answer the last request. */
function usePolled<Job extends { endedAt: string | null }>(address: string, first: Job): { job: Job; isSilent: boolean } {
  const [job, setJob] = useState(first);
  const [isSilent, setIsSilent] = useState(false);
  const router = useRouter();
  useEffect(() => {
    const poll = setInterval(() => {
      if (document.hidden) return;
      void readJob<Job>(address).then((answer) => {
        setIsSilent(answer === null);
        if (answer === null) return;
        setJob(answer);
        if (answer.endedAt !== null) {
          clearInterval(poll);
          router.refresh();
        }
      });
    }, POLL_ms);
    return () => clearInterval(poll);
  }, [address, router]);
  return { job, isSilent };
}

// Guarantee of the cast: the route answers with the shape of the requested job.
async function readJob<Job>(address: string): Promise<Job | null> {
  try {
    const response = await fetch(address, { cache: 'no-store' });
    return response.ok ? ((await response.json()) as Job) : null;
  } catch {
    return null;
  }
}
