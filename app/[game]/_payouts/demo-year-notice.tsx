import type { ReactElement } from 'react';
import { config, now } from '#app/_server/server-context.ts';
import { RefreshWhile } from '#app/_ui/words/refresh-while.tsx';
import { monthOf } from '#lib/core/month.ts';
import { countDemoMonths, type MonthProgress } from '#lib/payouts/rules/demo-year.ts';
import styles from './demo-year-notice.module.css';

interface DemoYearNoticeProps {
  /** The runs that weren't voided. */
  runs: readonly MonthProgress[];
  timeZone: string;
}

/** How many of the demo's earlier months are closed; nothing outside the demo and once all are. */
export function DemoYearNotice({ runs, timeZone }: DemoYearNoticeProps): ReactElement | null {
  const count = config().hasDemoYear ? countDemoMonths(runs, monthOf(now(), timeZone)) : null;
  if (count === null) return null;
  return (
    <>
      <RefreshWhile isBusy />
      <p className={styles.line}>
        The demo’s earlier months are being closed: {count.done} of {count.months}. Later ones can be closed after them.
      </p>
    </>
  );
}
