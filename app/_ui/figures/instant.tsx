import type { ReactElement } from 'react';
import { formatInstant, formatUtc } from './format-instant.ts';
import styles from './instant.module.css';

export interface InstantProps {
  /** ISO text ending in Z. */
  at: string;
  /** The zone the game's months are cut in, shown beside; left out: UTC alone. */
  timeZone?: string;
  precision?: 'minute' | 'second';
}

/** An instant with its zone: UTC always, the game's own time beside it where that is another. */
export function Instant({ at, timeZone = 'UTC', precision = 'minute' }: InstantProps): ReactElement {
  return (
    <time dateTime={at} className={styles.instant}>
      {formatUtc(at, precision)}
      {timeZone !== 'UTC' && (
        <span className={styles.local}>
          {' '}
          ({formatInstant(at, timeZone, precision)} {timeZone})
        </span>
      )}
    </time>
  );
}
