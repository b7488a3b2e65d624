'use client';

import { useRouter } from 'next/navigation';
import { createContext, type ReactElement, type ReactNode, useContext, useEffect, useState, useTransition } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { formatElapsed } from '#app/_ui/figures/format.ts';
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

/** A part of a page that is read again by itself. */
interface PageRefresh {
  /** As in "Refresh the wallet". */
  name: string;
  isPending: boolean;
  refresh: () => void;
}

/** The part of the page a control belongs to; null: it belongs to the whole page. */
export const PagePart = createContext<PageRefresh | null>(null);

interface RefreshButtonProps {
  word: string;
  /** Beside the title of a part. */
  isQuiet?: boolean;
  /** Runs when the reload of the whole page starts. */
  onRefresh?: () => void;
}

/** Reads again from Invo: the part of the page that it is in, otherwise the whole page. */
export function RefreshButton({ word, isQuiet = false, onRefresh }: RefreshButtonProps): ReactElement {
  const router = useRouter();
  const [isPending, start] = useTransition();
  const part = useContext(PagePart);
  const kind = isQuiet ? 'quiet' : 'plain';
  if (part !== null)
    return (
      <Button kind={kind} isDisabled={part.isPending} onPress={part.refresh} label={`${word}: ${part.name}`}>
        {part.isPending ? 'Loading…' : word}
      </Button>
    );
  return (
    <Button
      kind={kind}
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

// An age is shown in minutes.
const AGE_MS = 15_000;

/** How long ago something was read, also on a page that stays open. `age_s`: in seconds, when the page was drawn. */
export function ReadAge({ age_s }: { age_s: number }): ReactElement {
  const [open_s, setOpen] = useState(0);
  useEffect(() => {
    const since_ms = performance.now();
    const timer = setInterval(() => setOpen((performance.now() - since_ms) / 1_000), AGE_MS);
    return () => clearInterval(timer);
  }, []);
  return <>{formatElapsed(age_s + open_s)}</>;
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
