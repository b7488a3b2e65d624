'use client';

import type { ReactElement } from 'react';
import { Button } from './_ui/controls/button.tsx';
import { CopyButton } from './_ui/controls/copy-button.tsx';
import { StandAlone } from './_ui/layout/stand-alone.tsx';
import { EmptyState } from './_ui/words/empty-state.tsx';

export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }): ReactElement {
  const reference = typeof error === 'object' && error !== null && 'digest' in error ? String(error.digest) : null;
  return (
    <StandAlone>
      <title>Not drawn · Sharebook</title>
      <EmptyState isPage title="This page could not be drawn" action={<Button onPress={retry}>Try again</Button>}>
        <p>
          Nothing stored was lost. What you asked for just before may have been done: look before you ask for it again. The reason is in the
          log of the server.
        </p>
        {reference !== null && (
          <p>
            Reference: <CopyButton text={reference} what="reference" />
          </p>
        )}
      </EmptyState>
    </StandAlone>
  );
}
