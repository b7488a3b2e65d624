'use client';

import { type ReactElement, startTransition } from 'react';
import { SideDialog } from '#app/_ui/controls/side-dialog.tsx';
import type { DataTableProps } from '#app/_ui/data-table/data-table.tsx';
import type { TableRow } from '#app/_ui/data-table/table-spec.ts';
import { countNoun } from '#app/_ui/figures/format.ts';
import { Field } from '#app/_ui/forms/field.tsx';
import { Form, FormButtons, type FormResult, FormStatus, Hint, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { ITEM_STATE_TEXT } from '#lib/payments/text.ts';
import { SelectableRows } from '../../_run/selectable-rows.tsx';
import { proposeElsewhereAction } from './actions.ts';

interface PaymentRowsProps extends Pick<DataTableProps, 'spec' | 'first'> {
  about: { game: string; runId: number };
  /** Changes whenever the payments do. */
  version: string;
  /** The newest day that a payment can have. */
  today: string;
}

/** The payments of a run with a selection of those in no file, which can be recorded as paid elsewhere at once. */
export function PaymentRows({ about, today, ...rows }: PaymentRowsProps): ReactElement {
  return (
    <SelectableRows
      {...rows}
      hint="Select payments that are in no file to record them as paid elsewhere."
      canSelect={canSelect}
      summedBy={{ sort: 'payment_reference', column: 'amount_usd' }}
    >
      {({ ids, sum, onDone }) => (
        <SideDialog opener="Record as paid elsewhere" title={`Record ${countNoun(ids.length, 'payment')}${sum} as paid elsewhere`}>
          <ElsewhereForm about={{ ...about, itemNos: ids.join(',') }} today={today} onDone={onDone} />
        </SideDialog>
      )}
    </SelectableRows>
  );
}

function canSelect({ cells: { state } }: TableRow): boolean {
  return Array.isArray(state) && state.some((flag) => 'word' in flag && flag.word === ITEM_STATE_TEXT.waiting);
}

interface ElsewhereFormProps {
  about: { game: string; runId: number; itemNos: string };
  today: string;
  onDone: (sentence: string) => void;
}

function ElsewhereForm({ about, today, onDone }: ElsewhereFormProps): ReactElement {
  const [state, send] = useFormResult(async (before: FormResult, form: FormData) => {
    const result = await proposeElsewhereAction(before, form);
    if (result.kind === 'done') startTransition(() => onDone(result.sentence));
    return result;
  });
  const errors: Record<string, string | undefined> = state.kind === 'invalid' ? state.fields : {};
  return (
    <Form action={send} about={about} isShort>
      <Hint>For payments that you made outside Sharebook. They enter no file, and a second person must confirm.</Hint>
      <Field label="Paid on" error={errors['paidOn']}>
        {(control) => <input {...control} name="paidOn" type="date" max={today} required />}
      </Field>
      <Field label="Note" hint="How you paid, for the person who confirms. Don’t write an account here." error={errors['note']}>
        {(control) => <textarea {...control} name="note" rows={3} maxLength={500} />}
      </Field>
      <FormButtons>
        <SubmitButton pendingWord="Proposing…">Propose as paid elsewhere</SubmitButton>
      </FormButtons>
      {state.kind !== 'invalid' && <FormStatus result={state} />}
    </Form>
  );
}
