import { ChevronLeft, ChevronRight } from 'lucide-react';
import Link from 'next/link';
import type { ReactElement } from 'react';
import { formatMonth } from '../figures/format-instant.ts';
import styles from './month-nav.module.css';

export interface MonthNavProps {
  /** Address of the list of months; a month's own is this plus `/YYYY-MM`. */
  href: string;
  previous: string;
  /** null: that month has not begun. */
  next: string | null;
}

/** One month back, all months, one month on. */
export function MonthNav({ href, previous, next }: MonthNavProps): ReactElement {
  return (
    <nav className={styles.nav} aria-label="Months beside this one" data-print="no">
      <Link href={`${href}/${previous}`} className={styles.step} aria-label={formatMonth(previous)}>
        <ChevronLeft size={16} aria-hidden="true" />
      </Link>
      <Link href={href} className={styles.step}>
        Months
      </Link>
      {next === null ? (
        <span className={styles.off} aria-hidden="true">
          <ChevronRight size={16} />
        </span>
      ) : (
        <Link href={`${href}/${next}`} className={styles.step} aria-label={formatMonth(next)}>
          <ChevronRight size={16} aria-hidden="true" />
        </Link>
      )}
    </nav>
  );
}
