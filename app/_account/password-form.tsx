import type { ReactElement } from 'react';
import { findPasswordRequest } from '../_server/fresh-password.ts';
import { ActionForm, type ActionFormProps } from '../_ui/forms/form.tsx';

/** An `ActionForm` whose action needs a fresh password: it has the field from the start where this session has none, so that one press is enough. */
export async function PasswordForm(props: Omit<ActionFormProps, 'password'>): Promise<ReactElement> {
  return <ActionForm {...props} password={await findPasswordRequest()} />;
}
