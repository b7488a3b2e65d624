'use client';

import { type ReactElement, useEffect, useState } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import styles from './actions.module.css';

const SHOWN_FOR_MS = 10 * 60_000;

/** What an answer passes once: veiled until it is shown, gone after ten minutes, on leaving the page, and in print. */
export function OneTimeBox({ url }: { url: string }): ReactElement {
  const [held, setHeld] = useState<string | null>(url);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const end = (): void => setHeld(null);
    const timer = setTimeout(end, SHOWN_FOR_MS);
    window.addEventListener('pagehide', end);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pagehide', end);
    };
  }, []);
  if (held === null)
    return (
      <Notice voice="note" title="This was shown once and can’t be shown again">
        If the player still needs a link, make a new one. An earlier one may still be paid until it expires.
      </Notice>
    );
  return (
    <section className={styles.once} aria-label="Payment link, shown once">
      <p className={styles.onceTitle}>The link is ready. It is shown once, here only.</p>
      <p>Send it to the player yourself. Anyone who has it can pay, and it expires 15 minutes after it was made.</p>
      {isShown ? (
        <CopyButton text={held} what="link" />
      ) : (
        <div className={styles.onceButtons}>
          <code className={styles.veil} aria-hidden="true">
            {'•'.repeat(24)}
          </code>
          <Button kind="main" onPress={() => setShown(true)}>
            Show once
          </Button>
        </div>
      )}
    </section>
  );
}
