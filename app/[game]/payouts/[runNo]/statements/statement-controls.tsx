'use client';

import type { ReactElement } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { countNoun, formatCount } from '#app/_ui/figures/format.ts';
import { JobProgress, type ProgressText } from '#app/_ui/words/job-progress.tsx';
import type { StatementJob } from '#lib/payouts/reads/statements.ts';

/** The running job with its progress. */
export function DrawProgress({ game, runNo, first }: { game: string; runNo: number; first: StatementJob }): ReactElement {
  return <JobProgress address={`/${game}/jobs/statements/${runNo}`} first={first} format={formatDrawn} />;
}

function formatDrawn({ state, drawnCount, lineCount }: StatementJob): ProgressText {
  return {
    title: state === 'queued' ? 'Queued' : 'Drawing statements',
    sentence: `${formatCount(drawnCount)} of ${countNoun(lineCount, 'statement')} · continues when you close this tab`,
    done: lineCount === 0 ? null : drawnCount / lineCount,
    waiting: null,
  };
}

/** Prints the page. */
export function PrintButton(): ReactElement {
  return <Button onPress={() => window.print()}>Print</Button>;
}
