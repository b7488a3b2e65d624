'use client';

import { type ReactElement, startTransition } from 'react';
import {
  Form,
  FormButtons,
  type FormResult,
  FormStatus,
  type HiddenValues,
  PasswordField,
  type PasswordRequest,
  SubmitButton,
  useFormResult,
} from '#app/_ui/forms/form.tsx';

interface DownloadFormProps {
  /** Is done where the password is fresh; otherwise it demands the password. */
  action: (state: FormResult, form: FormData) => Promise<FormResult>;
  about: HiddenValues;
  /** Where the file is, once the password is fresh. */
  href: string;
  /** Its accessible name: a page has several. */
  label: string;
  isMain?: boolean;
  /** The password request to show at once; null: none. */
  password?: PasswordRequest | null;
}

/** Downloads a file that has whole accounts, after the password where that isn’t fresh. */
export function DownloadForm({ action, about, href, label, isMain = false, password = null }: DownloadFormProps): ReactElement {
  const [state, send] = useFormResult(async (before: FormResult, form: FormData) => {
    const result = await action(before, form);
    if (result.kind === 'done') startTransition(() => window.location.assign(href));
    return result;
  });
  return (
    <Form action={send} about={about} isShort>
      <PasswordField result={state} request={password} />
      <FormButtons>
        <SubmitButton kind={isMain ? 'main' : 'plain'} pendingWord="Opening…" label={label}>
          Download
        </SubmitButton>
      </FormButtons>
      <FormStatus result={state} />
    </Form>
  );
}
