'use client';

import type { ReactElement } from 'react';
import { Button } from './_ui/controls/button.tsx';
import { CopyButton } from './_ui/controls/copy-button.tsx';
import { CenteredPage } from './_ui/layout/entry-page.tsx';
import { EmptyState } from './_ui/words/empty-state.tsx';

export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }): ReactElement {
  const reference = typeof error === 'object' && error !== null && 'digest' in error ? String(error.digest) : null;
  return (
    <CenteredPage>
      <title>Something went wrong · Sharebook</title>
      <EmptyState isPage title="Something went wrong" action={<Button onPress={retry}>Try again</Button>}>
        <p>No stored data was lost. Your last action may have been saved, so check before you repeat it. The server log has the details.</p>
        {reference !== null && (
          <p>
            Reference: <CopyButton text={reference} what="reference" />
          </p>
        )}
      </EmptyState>
    </CenteredPage>
  );
}
