'use client';

import { type ReactElement, startTransition } from 'react';
import { Form, FormButtons, type FormResult, FormStatus, PasswordField, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { openFileAction } from './actions.ts';

interface DownloadFormProps {
  about: { game: string; batchNo: number };
  /** Where the file is, once the password is fresh. */
  href: string;
  /** Its accessible name: a page has several. */
  label: string;
  isMain: boolean;
}

/** Downloads a payment file, after the password where that isn’t fresh: the file has whole accounts. */
export function DownloadForm({ about, href, label, isMain }: DownloadFormProps): ReactElement {
  const [state, send] = useFormResult(async (before: FormResult, form: FormData) => {
    const result = await openFileAction(before, form);
    if (result.kind === 'done') startTransition(() => window.location.assign(href));
    return result;
  });
  return (
    <Form action={send} about={about} isShort>
      <PasswordField result={state} />
      <FormButtons>
        <SubmitButton kind={isMain ? 'main' : 'plain'} pendingWord="Opening…" label={label}>
          Download
        </SubmitButton>
      </FormButtons>
      <FormStatus result={state} />
    </Form>
  );
}
