'use client';

import { type ReactElement, useState } from 'react';
import { Field } from '#app/_ui/forms/field.tsx';
import { Form, FormButtons, FormStatus, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { formatUsd } from '#lib/core/money.ts';
import type { AdjustmentKind } from '#lib/payouts/rules/policy.ts';
import { ADJUSTMENT_KIND_TEXT } from '#lib/payouts/text.ts';
import { proposeAction } from './actions.ts';

/** Entries that a link fills in, by the names of the fields. */
export type AdjustmentEntries = Partial<Record<'kind' | 'recipientId' | 'amount' | 'runNo' | 'periodId', string>>;

/**
 * Proposes an adjustment of a recipient's balance. What was typed stays until it is stored. A transfer says who loses and who gets what first; a change of
 * any entry requires a new confirmation.
 */
export function AdjustmentForm({
  game,
  kinds,
  entries,
}: {
  game: string;
  kinds: readonly AdjustmentKind[];
  entries: AdjustmentEntries;
}): ReactElement {
  const [state, send] = useFormResult(proposeAction);
  const [kind, setKind] = useState<AdjustmentKind>(kinds.find((each) => each === entries.kind) ?? 'correction');
  const [changedAfter, setChangedAfter] = useState<object | null>(null);
  const transfer = state.kind === 'transfer' && changedAfter !== state ? state : null;
  const errors: Record<string, string | undefined> = state.kind === 'invalid' ? state.fields : {};
  const line = (name: string, label: string, hint?: string): ReactElement => (
    <Field label={label} hint={hint} error={errors[name]}>
      {(control) => (
        <input {...control} name={name} autoComplete="off" maxLength={40} defaultValue={entries[name as keyof AdjustmentEntries] ?? ''} />
      )}
    </Field>
  );
  const hint = kind === 'drift' ? '' : 'Optional. ';
  return (
    <div onChange={() => setChangedAfter(state)}>
      <Form
        action={send}
        about={{ game, ...(transfer !== null && { confirmed: transfer.sentence }) }}
        isShort
        isEmptied={state.kind === 'done'}
      >
        <Field label="Kind" error={errors['kind']}>
          {(control) => (
            <select
              {...control}
              name="kind"
              value={kind}
              onChange={({ target }) => setKind(kinds.find((each) => each === target.value) ?? 'correction')}
            >
              {kinds.map((each) => (
                <option key={each} value={each}>
                  {ADJUSTMENT_KIND_TEXT[each]}
                </option>
              ))}
            </select>
          )}
        </Field>
        {line('recipientId', 'Recipient', 'Player ID.')}
        {kind === 'transfer' && line('toRecipientId', 'Other recipient', 'Player ID. Gets the opposite amount.')}
        {line('amount', 'Amount (USD)', 'Start with a minus sign to deduct it.')}
        <Field label="Reason" hint="Printed on the recipient’s statement." error={errors['reason']}>
          {(control) => <textarea {...control} name="reason" rows={3} maxLength={1_000} />}
        </Field>
        {line('runNo', 'Run it corrects', `${hint}Run number.`)}
        {line('periodId', 'Period it corrects', `${hint}Period ID.`)}
        {transfer !== null && <p role="status">{transfer.sentence}</p>}
        <FormButtons>
          <SubmitButton pendingWord={kind === 'transfer' && transfer === null ? 'Checking…' : 'Proposing…'}>
            {kind !== 'transfer'
              ? 'Propose adjustment'
              : transfer === null
                ? 'Review transfer'
                : `Propose transfer of ${formatUsd(transfer.amount_usd)}`}
          </SubmitButton>
        </FormButtons>
        {state.kind !== 'invalid' && state.kind !== 'transfer' && <FormStatus result={state} />}
      </Form>
    </div>
  );
}
