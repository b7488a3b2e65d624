'use client';

import { useRouter } from 'next/navigation';
import { type ReactElement, useTransition } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import styles from './detail.module.css';

/** Loads the page anew, for which Invo is asked anew; `onAsk` hears that it was pressed. */
export function RefreshButton({ word, onAsk }: { word: string; onAsk?: () => void }): ReactElement {
  const router = useRouter();
  const [isPending, start] = useTransition();
  return (
    <Button
      isDisabled={isPending}
      onPress={() =>
        start(() => {
          router.refresh();
          onAsk?.();
        })
      }
    >
      {isPending ? 'Asking Invo…' : word}
    </Button>
  );
}

/** What stands on a page while Invo is asked: the shape of what will come, and a word for who cannot see it. */
export function LoadingFromInvo(): ReactElement {
  return (
    <div className={styles.skeleton} role="status">
      <p className={styles.quiet}>Asking Invo…</p>
      <div className={styles.top} aria-hidden="true">
        <div className={styles.ghost} />
        <div className={styles.ghost} />
      </div>
      <div className={styles.ghostRow} aria-hidden="true" />
    </div>
  );
}
