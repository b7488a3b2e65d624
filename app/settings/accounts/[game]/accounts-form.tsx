'use client';

import type { ReactElement } from 'react';
import { Field } from '#app/_ui/forms/field.tsx';
import { FieldGroup, Form, FormButtons, FormStatus, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import type { Layout } from '#lib/accounting/rules/layouts.ts';
import styles from '../../settings.module.css';
import { setAccountsAction } from './actions.ts';

export interface AccountsFormProps {
  slug: string;
  /** The map the form shows; 0: none was set yet. */
  mapNo: number;
  layouts: { layout: Layout; label: string }[];
  /** The layout whose fields a narrow screen shows first. */
  shown: Layout;
  accounts: {
    key: string;
    label: string;
    fieldsByLayout: { layout: Layout; fields: { name: string; label: string; value: string }[] }[];
  }[];
}

/** Every account of a game with its names in the accounting systems. On a narrow screen only the fields of the chosen layout are shown, and those with an error. */
export function AccountsForm({ slug, mapNo, layouts, shown, accounts }: AccountsFormProps): ReactElement {
  const [state, send] = useFormResult(setAccountsAction);
  const errors: Record<string, string | undefined> = state.kind === 'invalid' ? state.fields : {};
  return (
    <Form action={send} about={{ game: slug, map_no: mapNo }}>
      <div className={styles.names}>
        <div className={styles.layout}>
          <Field label="Fields for">
            {(control) => (
              // It has no name: it chooses what is shown, by CSS alone, and isn’t sent.
              <select {...control} defaultValue={shown}>
                {layouts.map(({ layout, label }) => (
                  <option key={layout} value={layout}>
                    {label}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        {accounts.map(({ key, label, fieldsByLayout }) => (
          <FieldGroup key={key} legend={label}>
            <div className={styles.fields}>
              {fieldsByLayout.map(({ layout, fields }) => (
                <div key={layout} data-layout={layout}>
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
