'use client';

import { useRouter } from 'next/navigation';
import { type ReactElement, useTransition } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import styles from './detail.module.css';

/** Reloads the page's data from Invo; `onRefresh` runs when the reload starts. */
export function RefreshButton({ word, onRefresh }: { word: string; onRefresh?: () => void }): ReactElement {
  const router = useRouter();
  const [isPending, start] = useTransition();
  return (
    <Button
      isDisabled={isPending}
      onPress={() =>
        start(() => {
          router.refresh();
          onRefresh?.();
        })
      }
    >
      {isPending ? 'Loading from Invo…' : word}
    </Button>
  );
}

/** The placeholder of a page while Invo is read: its shape, and a text for screen readers. */
export function LoadingFromInvo(): ReactElement {
  return (
    <div className={styles.skeleton} role="status">
      <p className={styles.quiet}>Loading from Invo…</p>
      <div className={styles.top} aria-hidden="true">
        <div className={styles.ghost} />
        <div className={styles.ghost} />
      </div>
      <div className={styles.ghostRow} aria-hidden="true" />
    </div>
  );
}
