'use client';

import type { ReactElement } from 'react';
import { Field, MultiChoices } from '#app/_ui/forms/field.tsx';
import { Form, FormButtons, FormStatus, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import type { PayoutPolicy } from '#lib/payouts/rules/policy.ts';
import { proposePolicyAction } from './actions.ts';
import { POLICY_HINTS, POLICY_TEXT } from './text.ts';

/** Proposes another policy for a game, starting from the one in force. */
export function PolicyForm({ game, policy }: { game: string; policy: PayoutPolicy }): ReactElement {
  const [state, send] = useFormResult(proposePolicyAction);
  const errors: Record<string, string | undefined> = state.kind === 'invalid' ? state.fields : {};
  const line = (name: Exclude<keyof typeof POLICY_TEXT, 'holdsBaseMismatch'>, value: string | number): ReactElement => (
    <Field label={POLICY_TEXT[name]} hint={POLICY_HINTS[name]} error={errors[name]}>
      {(control) => <input {...control} name={name} defaultValue={value} autoComplete="off" maxLength={40} />}
    </Field>
  );
  return (
    <Form action={send} about={{ game }} isShort>
      {line('minimum', policy.minimum_usd)}
      {line('secondApprovalFrom', policy.secondApprovalFrom_usd ?? '')}
      {line('firstPaymentFrom', policy.firstPaymentFrom_usd)}
      {line('changePercent', policy.changePercent)}
      {line('recheckHours', policy.recheckHours)}
      <MultiChoices
        choices={[
          {
            name: 'holdsBaseMismatch',
            label: POLICY_TEXT.holdsBaseMismatch,
            note: POLICY_HINTS.holdsBaseMismatch,
            isChosen: policy.holdsBaseMismatch,
          },
        ]}
      />
      <FormButtons>
        <SubmitButton kind="plain" pendingWord="Proposing…">
          Propose policy
        </SubmitButton>
      </FormButtons>
      {state.kind !== 'invalid' && <FormStatus result={state} />}
    </Form>
  );
}
