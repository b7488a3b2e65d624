'use client';

import type { ReactElement } from 'react';
import { TextField } from '#app/_ui/forms/field.tsx';
import { Form, FormButtons, FormStatus, PasswordField, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import styles from '../settings.module.css';
import { changeLimitsAction } from './actions.ts';

export interface LimitsFormProps {
  game: { slug: string; name: string };
  limits: { name: string; label: string; limit_usd: string }[];
}

/** The auto-approval limits of one game. */
export function LimitsForm({ game, limits }: LimitsFormProps): ReactElement {
  const [state, send] = useFormResult(changeLimitsAction);
  const errors: Record<string, string | undefined> = state.kind === 'invalid' ? state.fields : {};
  return (
    <div className={styles.limits}>
      <Form action={send} about={{ game: game.slug }}>
        {limits.map(({ name, label, limit_usd }) => (
          <TextField
            key={name}
            name={name}
            label={`${label} (USD)`}
            autoComplete="off"
            defaultValue={limit_usd}
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
