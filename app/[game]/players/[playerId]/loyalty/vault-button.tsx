'use client';

import type { ReactElement } from 'react';
import { Form, FormButtons, FormStatus, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { showVaultAction } from '../actions.ts';

/** Reads the vault as the player when it is pressed, and never by itself. */
export function VaultButton({ slug, playerId }: { slug: string; playerId: number }): ReactElement {
  const [result, send] = useFormResult(showVaultAction);
  return (
    <>
      <Form action={send} about={{ game: slug, playerId }} isShort>
        <FormButtons>
          <SubmitButton kind="plain" pendingWord="Reading as the player…">
            Show offers and vault
          </SubmitButton>
        </FormButtons>
        {result.kind !== 'vault' && <FormStatus result={result} />}
      </Form>
      {result.kind === 'vault' && result.content}
    </>
  );
}
