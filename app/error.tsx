'use client';

import { type ReactElement, useSyncExternalStore } from 'react';
import { Button } from './_ui/controls/button.tsx';
import { CopyButton } from './_ui/controls/copy-button.tsx';
import { CenteredPage } from './_ui/layout/entry-page.tsx';
import { EmptyState } from './_ui/words/empty-state.tsx';

export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }): ReactElement {
  const requestId = useSyncExternalStore(neverChanges, findRequestId, () => null);
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
        {requestId !== null && (
          <p>
            Request: <CopyButton text={requestId} what="request ID" />
          </p>
        )}
      </EmptyState>
    </CenteredPage>
  );
}

const neverChanges = (): (() => void) => () => undefined;

/** The id of the newest answer of the server, which it sends as a server timing; null when it sent none. */
function findRequestId(): string | null {
  const answers = [
    ...performance.getEntriesByType('navigation'),
    ...performance.getEntriesByType('resource'),
  ] as PerformanceResourceTiming[];
  const timed = answers
    .toSorted((one, other) => other.responseEnd - one.responseEnd)
    .flatMap(({ serverTiming }) => serverTiming.filter(({ name }) => name === 'request'));
  return timed[0]?.description ?? null;
}
