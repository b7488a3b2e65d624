'use client';

import { type ReactElement, startTransition } from 'react';
import { Field } from '#app/_ui/forms/field.tsx';
import { Form, FormButtons, type FormResult, FormStatus, Hint, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { HOLD_REASONS } from '#lib/payouts/rules/policy.ts';
import type { RunState } from '#lib/payouts/rules/run-content.ts';
import { HOLD_REASON_TEXT } from '#lib/payouts/text.ts';
import { excludeAction, placeHoldAction } from './actions.ts';

/** Characters of a note. */
const NOTE_LENGTH_MAX = 500;

export interface SelectionFormProps {
  game: string;
  run: { runId: number; state: RunState };
  /** The selected lines. */
  chosen: readonly { recipientId: number }[];
  /** The selection has been dealt with. */
  onDone: (sentence: string) => void;
}

/** What selected lines are summed by. */
export const PAYABLE = { sort: 'due_usd', column: 'payable_usd' } as const;

const idsOf = (chosen: SelectionFormProps['chosen']): string => chosen.map(({ recipientId }) => recipientId).join(',');

/** The result of an action on the selection, which ends with it. */
function useSelectionResult(action: typeof placeHoldAction, onDone: (sentence: string) => void) {
  const [state, send] = useFormResult(async (before: FormResult, form) => {
    const result = await action(before, form);
    // A transition of its own: the sentence appears together with the new amounts, not before them.
    if (result.kind === 'done') startTransition(() => onDone(result.sentence));
    return result;
  });
  const errors: Record<string, string | undefined> = state.kind === 'invalid' ? state.fields : {};
  return { state, send, errors };
}

/** Holds the payments of the selected recipients; an amount or a period only of one. */
export function HoldForm({ game, run, chosen, onDone }: SelectionFormProps): ReactElement {
  const { state, send, errors } = useSelectionResult(placeHoldAction, onDone);
  return (
    <Form action={send} about={{ game, recipientIds: idsOf(chosen) }} isShort>
      {run.state === 'submitted' && <Hint>A hold returns the run to draft.</Hint>}
      {run.state === 'approved' && <Hint>This run is approved. The hold applies to the next one.</Hint>}
      <Field label="Reason" error={errors['reason']}>
        {(control) => (
          <select {...control} name="reason" defaultValue="dispute">
            {HOLD_REASONS.map((reason) => (
              <option key={reason} value={reason}>
                {HOLD_REASON_TEXT[reason]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <NoteField error={errors['note']} />
      {chosen.length === 1 && (
        <>
          <Field label="Amount (USD)" hint="Leave empty to hold everything due." error={errors['amount']}>
            {(control) => <input {...control} name="amount" inputMode="decimal" autoComplete="off" maxLength={40} />}
          </Field>
          <Field label="Period ID" hint="Leave empty to hold the whole recipient." error={errors['periodId']}>
            {(control) => <input {...control} name="periodId" inputMode="numeric" autoComplete="off" maxLength={20} />}
          </Field>
        </>
      )}
      <Field label="Ends on" hint="At 00:00 UTC. Leave empty to hold until released." error={errors['expiresAt']}>
        {(control) => <input {...control} name="endsOn" type="date" />}
      </Field>
      <FormButtons>
        <SubmitButton kind="plain" pendingWord="Placing hold…">
          Place hold
        </SubmitButton>
      </FormButtons>
      {state.kind !== 'invalid' && <FormStatus result={state} />}
    </Form>
  );
}

/** Leaves the selected recipients out of the draft. */
export function ExcludeForm({ game, run, chosen, onDone }: SelectionFormProps): ReactElement {
  const { state, send, errors } = useSelectionResult(excludeAction, onDone);
  return (
    <Form action={send} about={{ game, runId: run.runId, recipientIds: idsOf(chosen) }} isShort>
      <NoteField error={errors['note']} label="Note on the exclusion" />
      <FormButtons>
        <SubmitButton kind="plain" pendingWord="Excluding…">
          Exclude from this run
        </SubmitButton>
      </FormButtons>
      {state.kind !== 'invalid' && <FormStatus result={state} />}
    </Form>
  );
}

function NoteField({ label = 'Note', error }: { label?: string; error: string | undefined }): ReactElement {
  return (
    <Field label={label} error={error}>
      {(control) => <textarea {...control} name="note" rows={2} maxLength={NOTE_LENGTH_MAX} />}
    </Field>
  );
}
