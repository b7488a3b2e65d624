'use client';

import type { ReactElement } from 'react';
import { TextField } from '#app/_ui/forms/field.tsx';
import { Form, FormButtons, FormStatus, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { addHouseAccountAction } from './actions.ts';

/** Adds a player account of the studio from which people send coins. */
export function HouseAccountForm({ slug, isAlone }: { slug: string; isAlone: boolean }): ReactElement {
  const [state, send] = useFormResult(addHouseAccountAction);
  const errors: Record<string, string | undefined> = state.kind === 'invalid' ? state.fields : {};
  return (
    <Form action={send} about={{ game: slug }} isShort>
      <TextField
        name="playerId"
        label="Player ID"
        hint="Search for the account’s email first."
        autoComplete="off"
        lengthMax={20}
        error={errors.playerId}
      />
      <TextField
        name="label"
        label="Label"
        hint="What people call it, such as Starfall House."
        autoComplete="off"
        lengthMax={100}
        error={errors.label}
      />
      <TextField
        name="phone"
        label="Phone that approves"
        hint="With country code, such as +49 151 12345678. A named colleague holds it."
        autoComplete="off"
        type="tel"
        lengthMax={40}
        error={errors.phone}
      />
      <TextField name="phoneAgain" label="Phone again" autoComplete="off" type="tel" lengthMax={40} error={errors.phoneAgain} />
      <FormButtons>
        <SubmitButton pendingWord="Saving…">{isAlone ? 'Add house account' : 'Ask to add house account'}</SubmitButton>
      </FormButtons>
      {state.kind !== 'invalid' && <FormStatus result={state} />}
    </Form>
  );
}
