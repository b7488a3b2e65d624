'use client';

import { useRouter } from 'next/navigation';
import { type ReactElement, useEffect, useState } from 'react';
import { ProgressCard } from '#app/_ui/words/progress-card.tsx';
import type { PullFacts } from '#db/evidence/reads/pulls.ts';
import { tellPull } from './tell-pull.ts';

const POLL_ms = 1_000;

/** A pull under way, asked for its progress each second; when it ends the page is drawn anew. Closing the tab does not stop the pull. */
export function PullProgress({ game, first }: { game: string; first: PullFacts }): ReactElement {
  const [pull, setPull] = useState(first);
  const [isSilent, setIsSilent] = useState(false);
  const router = useRouter();
  useEffect(() => {
    const poll = setInterval(() => {
      if (document.hidden) return;
      void readProgress(game, first.pullId).then((answer) => {
        setIsSilent(answer === null);
        if (answer === null) return;
        setPull(answer);
        if (answer.endedAt !== null) {
          clearInterval(poll);
          router.refresh();
        }
      });
    }, POLL_ms);
    return () => clearInterval(poll);
  }, [game, first.pullId, router]);
  return <ProgressCard {...tellPull(pull, isSilent)} />;
}

async function readProgress(game: string, pullId: number): Promise<PullFacts | null> {
  try {
    const response = await fetch(`/${game}/pulls/${pullId}`, { cache: 'no-store' });
    return response.ok ? ((await response.json()) as PullFacts) : null;
  } catch {
    return null;
  }
}
