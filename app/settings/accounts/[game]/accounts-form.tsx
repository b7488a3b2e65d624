'use client';

import type { ReactElement } from 'react';
import { Field } from '#app/_ui/forms/field.tsx';
import { FieldGroup, Form, FormButtons, FormStatus, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import styles from '../../settings.module.css';
import { setAccountsAction } from './actions.ts';

export interface AccountsFormProps {
  slug: string;
  /** The map the form shows; 0: none was set yet. */
  mapNo: number;
  accounts: { key: string; label: string; fields: { name: string; label: string; value: string }[] }[];
}

/** Every account of a game with its names in the accounting systems. */
export function AccountsForm({ slug, mapNo, accounts }: AccountsFormProps): ReactElement {
  const [state, send] = useFormResult(setAccountsAction);
  const errors: Record<string, string | undefined> = state.kind === 'invalid' ? state.fields : {};
  return (
    <Form action={send} about={{ game: slug, map_no: mapNo }}>
      <div className={styles.names}>
        {accounts.map(({ key, label, fields }) => (
          <FieldGroup key={key} legend={label}>
            <div className={styles.fields}>
              {fields.map((field) => (
                <Field key={field.name} label={field.label} error={errors[field.name]}>
                  {(control) => (
                    <input
                      {...control}
                      name={field.name}
                      defaultValue={field.value}
                      autoComplete="off"
                      aria-label={`${label}: ${field.label}`}
                    />
                  )}
                </Field>
              ))}
            </div>
          </FieldGroup>
        ))}
      </div>
      <FormButtons>
        <SubmitButton kind="main" pendingWord="Saving…">
          Save accounts
        </SubmitButton>
      </FormButtons>
      {state.kind === 'invalid' ? (
        <p role="alert" className={styles.invalid}>
          Nothing was saved. Check the entries marked above.
        </p>
      ) : (
        <FormStatus result={state} />
      )}
    </Form>
  );
}
