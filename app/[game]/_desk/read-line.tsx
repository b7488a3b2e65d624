import type { ReactElement } from 'react';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { RefreshButton } from '#app/[game]/_subscriptions/loading-from-invo.tsx';
import styles from './desk.module.css';

interface ReadLineProps {
  /** How a reading came out; a failed one has its own notice. */
  detail: { kind: string; readAt?: string };
  timeZone: string;
  note?: string;
}

/** When a reading was made, and a button that makes it again. */
export function ReadLine({ detail, timeZone, note }: ReadLineProps): ReactElement | null {
  if (detail.readAt === undefined) return null;
  return (
    <div className={styles.source}>
      <p>
        {detail.kind === 'live' ? 'Read from Invo at' : 'Last read from Invo at'}{' '}
        <Instant at={detail.readAt} timeZone={timeZone} precision="second" />.{note !== undefined && ` ${note}`}
      </p>
      <RefreshButton word="Ask again" />
    </div>
  );
}
