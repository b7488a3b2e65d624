'use client';

import { type ReactElement, startTransition, useState } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { SideDialog } from '#app/_ui/controls/side-dialog.tsx';
import { DataTable, type DataTableProps } from '#app/_ui/data-table/data-table.tsx';
import type { TableRow } from '#app/_ui/data-table/table-spec.ts';
import { useSelectedSum } from '#app/_ui/data-table/use-selected-sum.ts';
import { countNoun } from '#app/_ui/figures/format.ts';
import { Field } from '#app/_ui/forms/field.tsx';
import { Form, FormButtons, type FormResult, FormStatus, Hint, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { ITEM_STATE_TEXT } from '#lib/payments/text.ts';
import styles from '../../_run/run.module.css';
import { proposeElsewhereAction } from './actions.ts';

interface PaymentRowsProps extends Pick<DataTableProps, 'spec' | 'first'> {
  about: { game: string; runId: number };
  /** Changes whenever the payments do. */
  version: string;
  /** The newest day that a payment can have. */
  today: string;
}

/** The payments of a run with a selection of those in no file, which can be recorded as paid elsewhere at once. */
export function PaymentRows({ about, version, today, spec, first }: PaymentRowsProps): ReactElement {
  const [selected, setSelected] = useState<Record<string, true>>({});
  const [done, setDone] = useState('');
  const ids = Object.keys(selected);
  const sum = useSelectedSum(spec.rowsHref, { sort: 'payment_reference', column: 'amount_usd' }, ids);
  const total = sum === null ? '' : `, ${sum}`;
  const finish = (sentence: string): void => {
    setSelected({});
    setDone(sentence);
  };
  return (
    <>
      <div className={styles.bar} data-print="no">
        <p role="status" className={styles.hint}>
          {ids.length > 0 ? (
            <>
              <strong>{ids.length} selected</strong>
              {total}
            </>
          ) : (
            done || 'Select payments that are in no file to record them as paid elsewhere.'
          )}
        </p>
        {ids.length > 0 && (
          <>
            <SideDialog opener="Record as paid elsewhere" title={`Record ${countNoun(ids.length, 'payment')}${total} as paid elsewhere`}>
              <ElsewhereForm about={{ ...about, itemNos: ids.join(',') }} today={today} onDone={finish} />
            </SideDialog>
            <Button kind="quiet" onPress={() => setSelected({})}>
              Clear
            </Button>
          </>
        )}
      </div>
      <DataTable
        key={version}
        spec={spec}
        first={first}
        selection={{
          selected,
          canSelect,
          onSelect: (next) => {
            setDone('');
            setSelected(next);
          },
        }}
      />
    </>
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
