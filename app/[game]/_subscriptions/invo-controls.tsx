'use client';

import { useRouter } from 'next/navigation';
import { type ReactElement, type ReactNode, useState, useTransition } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import detail from './detail.module.css';
import styles from './invo-fields.module.css';

/** A page of Invo's figures with a switch that shows each one's field name below it. */
export function FieldNames({ children }: { children: ReactNode }): ReactElement {
  const [isShown, setIsShown] = useState(false);
  return (
    <div className={styles.page} data-field-names={isShown ? 'shown' : undefined}>
      <button type="button" className={styles.switch} aria-pressed={isShown} onClick={() => setIsShown(!isShown)} data-print="no">
        {isShown ? 'Hide' : 'Show'} Invo’s field names
      </button>
      {children}
    </div>
  );
}

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
    <div className={detail.skeleton} role="status">
      <p className={detail.quiet}>Loading from Invo…</p>
      <div className={detail.top} aria-hidden="true">
        <div className={detail.ghost} />
        <div className={detail.ghost} />
      </div>
      <div className={detail.ghostRow} aria-hidden="true" />
    </div>
  );
}
