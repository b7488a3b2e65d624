'use client';

import type { ReactElement } from 'react';
import type { ButtonKind } from '#app/_ui/controls/button.tsx';
import { Field } from '#app/_ui/forms/field.tsx';
import { Form, FormButtons, type FormResult, FormStatus, type HiddenValues, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { CONCLUSIONS } from '#lib/payouts/rules/policy.ts';
import { CONCLUSION_TEXT } from '#lib/payouts/text.ts';
import { findingAction, noteAction } from './actions.ts';
import styles from './close.module.css';

/** Characters of a note on an item of the close. */
const NOTE_LENGTH_MAX = 1_000;

interface RunFormProps {
  action: (state: FormResult, form: FormData) => Promise<FormResult>;
  about: HiddenValues;
  kind?: ButtonKind;
  pendingWord: string;
  isDisabled?: boolean;
  label: string;
}

/** An act on the run of a month: its button and its result. */
export function RunForm({ action, about, label, ...button }: RunFormProps): ReactElement {
  const [state, send] = useFormResult(action);
  return (
    <Form action={send} about={about} isShort>
      <SubmitButton {...button}>{label}</SubmitButton>
      <FormStatus result={state} />
    </Form>
  );
}

/** A note on one item, bound to the facts the item shows. */
export function NoteForm(about: { game: string; runId: number; checkKey: string; facts: string }): ReactElement {
  const [state, send] = useFormResult(noteAction);
  return (
    <div className={styles.act}>
      <Form action={send} about={about} isShort>
        <div className={styles.noteLine}>
          <input
            className={styles.note}
            name="note"
            aria-label="Note"
            placeholder="Why is this correct?"
            maxLength={NOTE_LENGTH_MAX}
            autoComplete="off"
            required
          />
          <SubmitButton kind="plain" pendingWord="Saving…">
            Save note
          </SubmitButton>
        </div>
        <FormStatus result={state} />
      </Form>
    </div>
  );
}

/** What a person found out about renewals that have no attribution. */
export function FindingForm({ game, runId, reason, count }: { game: string; runId: number; reason: string; count: number }): ReactElement {
  const [state, send] = useFormResult(findingAction);
  const error = state.kind === 'invalid' ? state.fields['renewalCount'] : undefined;
  return (
    <div className={styles.act}>
      <Form action={send} about={{ game, runId, reason }} isShort>
        <div className={styles.findingLine}>
          <Field label="Finding">
            {(control) => (
              <select {...control} name="conclusion" defaultValue="raised_with_invo">
                {CONCLUSIONS.map((each) => (
                  <option key={each} value={each}>
                    {CONCLUSION_TEXT[each]}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label="Renewals" error={error}>
            {(control) => <input {...control} name="renewalCount" type="number" min={1} max={count} defaultValue={count} required />}
          </Field>
        </div>
        <Field label="What you found">
          {(control) => <input {...control} name="note" maxLength={NOTE_LENGTH_MAX} autoComplete="off" required />}
        </Field>
        <FormButtons>
          <SubmitButton kind="plain" pendingWord="Saving…">
            Record finding
          </SubmitButton>
        </FormButtons>
        {error === undefined && <FormStatus result={state} />}
      </Form>
    </div>
  );
}
