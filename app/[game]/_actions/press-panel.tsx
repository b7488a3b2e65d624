'use client';

import type { ReactElement } from 'react';
import { Form, FormButtons, FormStatus, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { pressActionAction } from './actions.ts';
import { OneTimeBox } from './one-time-box.tsx';

interface PressPanelProps {
  slug: string;
  actionId: number;
  /** null: there is nothing to press. */
  button: { label: string; pending: string; isAgain: boolean } | null;
}

/** The one button that sends an action, and what its answer passes. It stays where it is while the page is drawn again, so that nothing passed is lost. */
export function PressPanel({ slug, actionId, button }: PressPanelProps): ReactElement {
  const [result, send] = useFormResult(pressActionAction);
  return (
    <>
      {result.kind === 'passed' && <OneTimeBox passed={result.passed} />}
      {button !== null && result.kind !== 'passed' && (
        <Form action={send} about={{ game: slug, actionId }} isShort>
          <FormButtons>
            <SubmitButton kind={button.isAgain ? 'plain' : 'main'} pendingWord={button.pending}>
              {button.label}
            </SubmitButton>
          </FormButtons>
          <FormStatus result={result} />
        </Form>
      )}
    </>
  );
}
