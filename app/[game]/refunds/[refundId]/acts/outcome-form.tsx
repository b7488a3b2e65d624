import type { ReactElement } from 'react';
import { Choices } from '#app/_ui/forms/choices.tsx';
import { FieldGroup } from '#app/_ui/forms/field-group.tsx';
import { ActForm } from '#app/[game]/_refunds/act-form.tsx';
import { OUTCOME_LENGTH_MAX } from '#lib/core/typed-text.ts';
import { proposeAction } from '../actions.ts';

export interface OutcomeFormProps {
  slug: string;
  refundId: number;
  /** With its unit. */
  amount: string;
  /** What reading the period suggests. */
  proposal: 'landed' | 'not_landed' | null;
}

const OUTCOMES = [
  { decision: 'landed', word: 'It was refunded', note: 'The period at Invo shows it. It ends as refunded, and its reversal is expected.' },
  {
    decision: 'not_landed',
    word: 'It did not happen',
    note: 'A reading half an hour or more after the last try shows nothing. The period is free for a new refund.',
  },
  {
    decision: 'send_again',
    word: 'Send the same request once more',
    note: 'Same key, same bytes. Within a day of the first try, or at any time when it refunds all that was left.',
  },
] as const;

/** The first of two people says what happened. */
export function OutcomeForm({ slug, refundId, amount, proposal }: OutcomeFormProps): ReactElement {
  return (
    <ActForm
      action={proposeAction}
      about={{ game: slug, refundId }}
      word={`Say so of the refund of ${amount}`}
      pendingWord="One moment…"
      kind="main"
      why={{ label: 'What you looked at, and what you saw', lengthMax: OUTCOME_LENGTH_MAX, isRequired: true }}
    >
      <FieldGroup legend="What happened">
        <Choices
          name="decision"
          choices={OUTCOMES.map(({ decision, word, note }) => ({
            value: decision,
            label: decision === proposal ? <Suggested word={word} /> : word,
            note,
          }))}
          chosen={proposal}
          isRequired
        />
      </FieldGroup>
    </ActForm>
  );
}

function Suggested({ word }: { word: string }): ReactElement {
  return (
    <>
      {word} <strong>(the reading suggests this)</strong>
    </>
  );
}
