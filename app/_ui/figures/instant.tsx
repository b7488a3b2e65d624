import type { ReactElement } from 'react';
import { formatInstant, formatUtc } from './format.ts';
import styles from './instant.module.css';

export interface InstantProps {
  /** ISO text ending in Z. */
  at: string;
  /** The reporting time zone of the game, shown as well; without it only UTC. */
  timeZone?: string;
  precision?: 'minute' | 'second';
}

/** An instant in UTC, and in the time zone of the game where that is different. */
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
