'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';

const POLL_ms = 1_000;

/**
 * A job and its progress, polled every second; when it ends the page is refreshed. `isSilent`: Sharebook didn’t answer the last request.
 * Closing the tab doesn’t stop the job.
 */
export function usePolled<Job extends { endedAt: string | null }>(address: string, first: Job): { job: Job; isSilent: boolean } {
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
