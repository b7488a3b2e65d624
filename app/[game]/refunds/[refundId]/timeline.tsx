import type { ReactElement, ReactNode } from 'react';
import type { RefundDetail } from '../../../../db/queries/refunds/find-refund.ts';
import type { TimelineAct, TimelineAttempt, TimelineEntry, TimelineReading } from '../../../../db/queries/refunds/refund-timeline.ts';
import { CopyButton } from '../../../_ui/controls/copy-button.tsx';
import { Instant } from '../../../_ui/figures/instant.tsx';
import { Card } from '../../../_ui/layout/card.tsx';
import { Flag } from '../../../_ui/words/status.tsx';
import { ATTEMPT_WORDS } from '../../_refund/words/attempt-words.ts';
import { sayTrouble } from '../../_refund/words/trouble-words.ts';
import { sayAct } from './act-words.ts';
import styles from './refund.module.css';
import { sayReading } from './say-reading.ts';

/** Everything that happened with the refund, newest first. */
export function Timeline({
  refund,
  entries,
  timeZone,
}: {
  refund: RefundDetail;
  entries: TimelineEntry[];
  timeZone: string;
}): ReactElement {
  return (
    <Card title="What happened, newest first">
      <ol className={styles.timeline}>
        {entries.map((entry, at) => (
          <li key={`${entry.kind} ${entry.at} ${entries.length - at}`} className={styles.entry}>
            <span className={styles.when}>
              <Instant at={entry.at} timeZone={timeZone} precision="second" />
            </span>
            {/* What draws an entry is chosen by the entry's own kind. */}
            <div className={styles.event}>{DRAWN[entry.kind](entry as never, refund)}</div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

const DRAWN: { [Kind in TimelineEntry['kind']]: (entry: Extract<TimelineEntry, { kind: Kind }>, refund: RefundDetail) => ReactNode } = {
  attempt: (entry) => <Attempt {...entry} />,
  reading: (entry, refund) => <Reading {...entry} amount_usd={refund.facts.period.amount_usd} />,
  act: (entry) => <Act {...entry} />,
};

function Attempt({ attempt_no, class: kind, status, errorCode, errorId, facts }: TimelineAttempt): ReactElement {
  return (
    <>
      <p>
        Try {attempt_no}: {kind === null ? 'on its way' : <Flag {...ATTEMPT_WORDS[kind]} />}
        {status !== null && <span className={styles.aside}> HTTP {status}</span>}
        {errorCode !== null && <code className={styles.code}>{errorCode}</code>}
      </p>
      {errorCode !== null && <p className={styles.aside}>{sayTrouble({ errorCode, facts, errorId: null })}</p>}
      {errorId !== null && <CopyButton text={errorId} what={`error id of try ${attempt_no}`} />}
    </>
  );
}

const PURPOSES: Record<TimelineReading['purpose'], string> = {
  before: 'Read the period before sending',
  verify: 'Read the period to find out what happened',
  rebuild: 'Read the period to complete the receipt',
};

function Reading({ purpose, period }: TimelineReading & { amount_usd: string | null }): ReactElement {
  return (
    <p>
      {PURPOSES[purpose]}: {sayReading(period)}
    </p>
  );
}

function Act(entry: TimelineAct): ReactElement {
  const { what, quote } = sayAct(entry);
  return (
    <>
      <p>{what}</p>
      {quote !== null && <p className={styles.aside}>“{quote}”</p>}
    </>
  );
}
