import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Flag } from '#app/_ui/words/status.tsx';
import { formatAttemptError } from '#lib/invo/text.ts';
import type { Timeline, TimelineAct, TimelineAttempt, TimelineEntry, TimelineReading } from '#lib/refunds/reads/refund-history.ts';
import { ATTEMPT_TEXT, formatActivity, formatReading } from '#lib/refunds/text.ts';
import styles from './refund.module.css';

interface TimelineProps extends Pick<Timeline, 'entries' | 'before'> {
  /** The address of the refund. */
  href: string;
  isNewest: boolean;
  timeZone: string;
}

/** What happened with the refund, newest first, a page at a time. */
export function Timeline({ entries, before, href, isNewest, timeZone }: TimelineProps): ReactElement {
  return (
    <Card title="Timeline">
      <ol className={styles.timeline}>
        {entries.map((entry, index) => (
          <li key={`${entry.kind} ${entry.at} ${entries.length - index}`} className={styles.entry}>
            <span className={styles.when}>
              <Instant at={entry.at} timeZone={timeZone} precision="second" />
            </span>
            <div className={styles.event}>
              <Entry entry={entry} isRepeated={isSameError(entry, entries.slice(0, index))} />
            </div>
          </li>
        ))}
      </ol>
      {(!isNewest || before !== null) && (
        <nav className={styles.pages} aria-label="Pages of the timeline">
          {!isNewest && <LinkButton href={href}>Newest entries</LinkButton>}
          {before !== null && <LinkButton href={`${href}?${new URLSearchParams({ before })}`}>Older entries</LinkButton>}
        </nav>
      )}
    </Card>
  );
}

/** Whether the attempt after this one met the same error: its sentence is shown there, and once is enough. */
function isSameError(entry: TimelineEntry, newer: TimelineEntry[]): boolean {
  const next = newer.findLast(({ kind }) => kind === 'attempt');
  if (entry.kind !== 'attempt' || next?.kind !== 'attempt') return false;
  return entry.errorCode === next.errorCode && JSON.stringify(entry.facts) === JSON.stringify(next.facts);
}

function Entry({ entry, isRepeated }: { entry: TimelineEntry; isRepeated: boolean }): ReactElement {
  switch (entry.kind) {
    case 'attempt':
      return <Attempt {...entry} isRepeated={isRepeated} />;
    case 'reading':
      return <Reading {...entry} />;
    case 'act':
      return <Activity {...entry} />;
  }
}

interface AttemptProps extends TimelineAttempt {
  isRepeated: boolean;
}

function Attempt({ attempt_no, class: kind, status, errorCode, errorId, facts, isRepeated }: AttemptProps): ReactElement {
  return (
    <>
      <p>
        Attempt {attempt_no}: {kind === null ? 'in progress' : <Flag {...ATTEMPT_TEXT[kind]} />}
        {status !== null && (
          <>
            {' '}
            <span className={clsx(styles.aside, styles.http)}>HTTP {status}</span>
          </>
        )}
        {errorCode !== null && <code className={styles.code}>{errorCode}</code>}
      </p>
      {errorCode !== null && !isRepeated && <p className={styles.aside}>{formatAttemptError({ errorCode, facts, errorId: null })}</p>}
      {errorId !== null && <CopyButton text={errorId} what={`error ID of attempt ${attempt_no}`} />}
    </>
  );
}

const PURPOSES: Record<TimelineReading['purpose'], string> = {
  before: 'Read the period before sending',
  verify: 'Read the period to check the outcome',
  rebuild: 'Read the period to complete the receipt',
};

function Reading({ purpose, period }: TimelineReading): ReactElement {
  return (
    <p>
      {PURPOSES[purpose]}: {formatReading(period)}
    </p>
  );
}

function Activity(entry: TimelineAct): ReactElement {
  const { sentence, quote } = formatActivity(entry);
  return (
    <>
      <p>{sentence}</p>
      {quote !== null && <p className={styles.aside}>“{quote}”</p>}
    </>
  );
}
