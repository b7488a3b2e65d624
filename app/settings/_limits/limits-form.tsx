'use client';

import type { ReactElement } from 'react';
import { TextField } from '#app/_ui/forms/field.tsx';
import { Form, FormButtons, FormStatus, PasswordField, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { LIMITED, type Limited } from '#lib/approvals/rules/approval.ts';
import styles from '../settings.module.css';
import { changeLimitsAction } from './actions.ts';

interface LimitsFormProps {
  game: { slug: string; name: string };
  what: Limited;
  limits: { name: string; label: string; amount: string }[];
}

/** The auto-approval limits of one game for one subject. */
export function LimitsForm({ game, what, limits }: LimitsFormProps): ReactElement {
  const [state, send] = useFormResult(changeLimitsAction);
  const errors: Record<string, string | undefined> = state.kind === 'invalid' ? state.fields : {};
  return (
    <div className={styles.limits}>
      <Form action={send} about={{ game: game.slug, what }}>
        {limits.map(({ name, label, amount }) => (
          <TextField
            key={name}
            name={name}
            label={`${label} (${LIMITED[what].unit === 'usd' ? 'USD' : 'coins'})`}
            autoComplete="off"
            defaultValue={amount}
            lengthMax={20}
            error={errors[name]}
          />
        ))}
        <PasswordField result={state} />
        <FormButtons>
          <SubmitButton kind="plain" pendingWord="Saving…">
            {`Save limits for ${game.name}`}
          </SubmitButton>
        </FormButtons>
        {state.kind !== 'invalid' && <FormStatus result={state} />}
      </Form>
    </div>
  );
}
