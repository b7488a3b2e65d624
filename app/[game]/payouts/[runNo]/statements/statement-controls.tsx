'use client';

import type { ReactElement } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { countNoun, formatCount } from '#app/_ui/figures/format.ts';
import { Form, FormButtons, FormStatus, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { JobProgress, type ProgressText } from '#app/_ui/words/job-progress.tsx';
import type { StatementJob } from '#lib/payouts/reads/statements.ts';
import { drawStatementsAction } from '../actions.ts';

/** Requests that all statements of a run be drawn. */
export function DrawStatements({ game, runNo, label }: { game: string; runNo: number; label: string }): ReactElement {
  const [state, send] = useFormResult(drawStatementsAction);
  return (
    <Form action={send} about={{ game, runNo: String(runNo) }} isShort>
      <FormButtons>
        <SubmitButton kind="plain" pendingWord="Starting…">
          {label}
        </SubmitButton>
      </FormButtons>
      <FormStatus result={state} />
    </Form>
  );
}

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
