'use client';

import type { ReactElement } from 'react';
import { countNoun, formatCount, formatTime } from '#app/_ui/figures/format.ts';
import { Field } from '#app/_ui/forms/field.tsx';
import { Form, FormButtons, FormStatus, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { JobProgress, type ProgressText } from '#app/[game]/_jobs/job-progress.tsx';
import { capitalise } from '#lib/core/format-text.ts';
import type { DetailJobFacts } from '#lib/fees/reads/detail-jobs.ts';
import type { DetailChoice, DetailSetting } from '#lib/fees/rules/detail-figures.ts';
import { chooseDetailsAction, readDetailsAction } from './actions.ts';

interface DetailFormProps {
  game: string;
  /** YYYY-MM. */
  month: string;
}

/** Reads the detail reports of the month. */
export function ReadDetails({ label, kind, ...about }: DetailFormProps & { label: string; kind: 'main' | 'plain' }): ReactElement {
  const [state, send] = useFormResult(readDetailsAction);
  return (
    <Form action={send} about={{ ...about }} isShort>
      <FormButtons>
        <SubmitButton kind={kind} pendingWord="Starting…">
          {label}
        </SubmitButton>
      </FormButtons>
      <FormStatus result={state} />
    </Form>
  );
}

interface ChooseDetailsProps extends DetailFormProps {
  setting: DetailSetting;
  /** How long all of them take, in minutes; null: not counted yet. */
  minutes: { cardPeriods: number; subscriptions: number } | null;
}

/** What is read of every month of the game. */
export function ChooseDetails({ game, month, setting, minutes }: ChooseDetailsProps): ReactElement {
  const [state, send] = useFormResult(chooseDetailsAction);
  const timeOf = (minute: number | undefined): string | undefined =>
    minute === undefined ? undefined : `All of this month: about ${countNoun(minute, 'minute')}.`;
  return (
    <Form action={send} about={{ game, month }} isShort>
      <Choice
        name="cardPeriods"
        label="Read all card periods"
        bySize="Below 2,000"
        chosen={setting.cardPeriods}
        hint={timeOf(minutes?.cardPeriods)}
      />
      <Choice
        name="subscriptions"
        label="Read all subscriptions"
        bySize="Up to 5,000"
        chosen={setting.subscriptions}
        hint={timeOf(minutes?.subscriptions)}
      />
      <FormButtons>
        <SubmitButton kind="plain" pendingWord="Saving…">
          Save for all months
        </SubmitButton>
      </FormButtons>
      <FormStatus result={state} />
    </Form>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  bySize: string;
  chosen: DetailChoice;
  hint: string | undefined;
}

function Choice({ name, label, bySize, chosen, hint }: ChoiceProps): ReactElement {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <select {...control} name={name} defaultValue={chosen}>
          <option value="by_size">{bySize} (default)</option>
          <option value="on">Always</option>
          <option value="off">Never</option>
        </select>
      )}
    </Field>
  );
}

/** A running job with its progress. */
export function DetailProgress({ game, first }: { game: string; first: DetailJobFacts }): ReactElement {
  return <JobProgress game={game} kind="details" id={first.detailJobId} first={first} format={formatDetailProgress} />;
}

/** The progress of a job as text. */
export function formatDetailProgress({
  state,
  readCount,
  plannedCount,
  activity,
  waitingUntil,
}: Pick<DetailJobFacts, 'state' | 'readCount' | 'plannedCount' | 'activity' | 'waitingUntil'>): ProgressText {
  const isPlanned = plannedCount !== null && plannedCount > 0 && plannedCount >= readCount;
  const reports = isPlanned ? `${formatCount(readCount)} of ${countNoun(plannedCount, 'report')}` : countNoun(readCount, 'report');
  const step = activity ?? 'reading detail reports';
  return {
    title: state === 'queued' ? 'Queued' : capitalise(step),
    sentence: `${reports} read · continues when you close this tab`,
    done: isPlanned ? readCount / plannedCount : null,
    waiting: waitingUntil === null ? null : `Waiting for the rate limit until ${formatTime(waitingUntil, 'UTC')} UTC.`,
  };
}
