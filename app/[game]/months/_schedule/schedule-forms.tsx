'use client';

import { type ReactElement, useState } from 'react';
import { SubmitButton } from '#app/_ui/controls/submit-button.tsx';
import { countNoun, formatMonth } from '#app/_ui/figures/format.ts';
import { Field } from '#app/_ui/forms/field.tsx';
import { Form, FormButtons } from '#app/_ui/forms/form.tsx';
import { FormStatus, useFormResult } from '#app/_ui/forms/form-result.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import type { HistoryEstimate } from '#lib/evidence/pull/schedule-pulls.ts';
import { HISTORY_MONTHS, SCHEDULED_MONTHS_MAX } from '#lib/evidence/rules/due-pulls.ts';
import styles from '../months.module.css';
import { estimateHistoryAction, pausePullsAction, startHistoryAction } from './actions.ts';

/** Holds back scheduled pulls of a game, or lets them continue. */
export function PausePulls({ game, isPaused }: { game: string; isPaused: boolean }): ReactElement {
  const [state, send] = useFormResult(pausePullsAction);
  return (
    <form action={send} {...(isPaused ? {} : { className: styles.pause })}>
      <input type="hidden" name="game" value={game} />
      <input type="hidden" name="isPaused" value={isPaused ? 'no' : 'yes'} />
      <SubmitButton kind={isPaused ? 'plain' : 'quiet'} pendingWord={isPaused ? 'Resuming…' : 'Pausing…'}>
        {isPaused ? 'Resume scheduled pulls' : 'Pause scheduled pulls'}
      </SubmitButton>
      <FormStatus result={state} />
    </form>
  );
}

/** The form for how far back a newly connected game is pulled, shown once: the estimate comes first, and nothing is pulled before it is confirmed. */
export function StartHistory({ game }: { game: string }): ReactElement {
  const [months, setMonths] = useState(HISTORY_MONTHS);
  const [estimated, estimate] = useFormResult(estimateHistoryAction);
  const [started, start] = useFormResult(startHistoryAction);
  const current = estimated.kind === 'estimated' && estimated.estimate.months === months ? estimated.estimate : null;
  return (
    <Card title="Pull the history of this game">
      <Form action={estimate} about={{ game }} isShort>
        <Field
          label="Months to pull"
          hint={`The current one included, ${SCHEDULED_MONTHS_MAX} at most. Later months follow by themselves.`}
        >
          {(control) => (
            <input
              {...control}
              type="number"
              name="months"
              min={1}
              max={SCHEDULED_MONTHS_MAX}
              step={1}
              required
              value={Number.isNaN(months) ? '' : months}
              onChange={(event) => setMonths(event.target.valueAsNumber)}
            />
          )}
        </Field>
        <FormButtons>
          <SubmitButton kind={current === null ? 'main' : 'plain'} pendingWord="Asking Invo…">
            Estimate calls
          </SubmitButton>
        </FormButtons>
        {estimated.kind !== 'estimated' && <FormStatus result={estimated} />}
      </Form>
      {current !== null && (
        <Form action={start} about={{ game, months }} isShort>
          <p role="status">{formatEstimate(current)}</p>
          <FormButtons>
            <SubmitButton pendingWord="Starting…">{`Pull ${countNoun(months, 'month')}`}</SubmitButton>
          </FormButtons>
          <FormStatus result={started} />
        </Form>
      )}
    </Card>
  );
}

/** What a history is likely to take: `About 26 calls and 1 minute, …`. */
export function formatEstimate({ calls, minutes, basedOn, recipientCount }: HistoryEstimate): string {
  return `About ${countNoun(calls, 'call')} and ${countNoun(minutes, 'minute')}, going by ${formatMonth(basedOn)} with ${countNoun(recipientCount, 'recipient')}. Months with more recipients take longer. You can pause it, and it continues after a restart.`;
}
