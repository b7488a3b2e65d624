import Link from 'next/link';
import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { type Fact, Facts } from '#app/_ui/figures/facts.tsx';
import { countNoun, formatAge, formatMonth, formatUtc } from '#app/_ui/figures/format.ts';
import { Card } from '#app/_ui/layout/card.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { laterOf } from '#lib/core/instant.ts';
import { addMonths, type Month } from '#lib/core/month.ts';
import type { findPullSchedule } from '#lib/evidence/reads/pull-schedule.ts';
import { PullButton } from '../../_pulls/pull.tsx';
import { type MonthRow, pullActionOf } from '../load-month.ts';
import styles from '../months.module.css';
import { PausePulls } from './schedule-forms.tsx';

interface CoverageProps {
  /** Oldest first. */
  rows: MonthRow[];
  schedule: Awaited<ReturnType<typeof findPullSchedule>>;
  game: Pick<Game, 'slug'>;
  mayPull: boolean;
}

/** How much of the months shown is reconciled, provisional or missing, how fresh it is, and what failed, with a retry. */
export function Coverage({ rows, schedule, game, mayPull }: CoverageProps): ReactElement {
  const { reconciled, provisional, missing, comparedAt } = summarizeCoverage(rows);
  const requestedUntil = rows.find(({ pull }) => pull?.state === 'queued' && pull.waitingUntil !== null)?.pull?.waitingUntil ?? null;
  const readAt = rows[0]?.readAt ?? schedule.readAt;
  const facts: Fact[] = [
    { label: 'Reconciled', value: countNoun(reconciled.length, 'month'), note: formatSpans(reconciled) },
    {
      label: 'Provisional',
      value: countNoun(provisional.length, 'month'),
      note: provisional.map((row) => `${formatMonth(row.month, 'short')} to ${formatUtc(row.snapshot?.coveredUntil ?? '')}`).join(', '),
    },
    { label: 'Missing', value: countNoun(missing.length, 'month'), note: formatSpans(missing) },
    {
      label: 'Compared with Invo',
      value: comparedAt === null ? 'none is complete' : formatAge(comparedAt, readAt),
      note: schedule.paused === null ? 'the oldest of the last three months, compared daily' : 'the schedule is paused',
    },
  ];
  return (
    <div className={styles.coverage}>
      {schedule.paused !== null && (
        <Notice voice="wait" title="Scheduled pulls are paused" actions={mayPull && <PausePulls game={game.slug} isPaused />}>
          Paused {mayPull && `by ${schedule.paused.by} `}
          {formatAge(schedule.paused.at, schedule.readAt)}. What is stored stays as it is. You can still pull a month yourself.
        </Notice>
      )}
      {requestedUntil !== null && (
        <Notice voice="wait" title={`Invo asked this game to wait until ${formatUtc(requestedUntil)}`}>
          Pulls continue then, or as soon as one call every 15 minutes is answered. Stored figures and other games aren’t affected.
        </Notice>
      )}
      <FailedPulls rows={rows} game={game} mayPull={mayPull} />
      <Card title="Coverage" aside={mayPull && schedule.paused === null && <PausePulls game={game.slug} isPaused={false} />}>
        <Facts facts={facts} columns={4} />
      </Card>
    </div>
  );
}

interface CoverageSummary {
  reconciled: Month[];
  provisional: MonthRow[];
  missing: Month[];
  /** The oldest comparison among the last three complete months; null: none is complete. */
  comparedAt: string | null;
}

/** What the months of a page cover; a month that hasn’t started is none of them, and one that doesn’t reconcile is missing. */
export function summarizeCoverage(rows: MonthRow[]): CoverageSummary {
  const statusOf = ({ snapshot }: MonthRow): string => snapshot?.status ?? 'none';
  const complete = rows.filter((row) => statusOf(row) === 'complete');
  const compared = complete
    .slice(-3)
    .map(({ snapshot, recheck }) => laterOf(snapshot?.createdAt ?? '', recheck?.checkedAt ?? snapshot?.createdAt ?? ''));
  return {
    reconciled: complete.map(({ month }) => month),
    provisional: rows.filter((row) => statusOf(row) === 'open'),
    missing: rows
      .filter((row) => ['none', 'inconsistent'].includes(statusOf(row)) && row.state !== 'not_started')
      .map(({ month }) => month),
    comparedAt: compared.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null,
  };
}

/** `Oct 2025 to Sep 2026, Nov 2026`: months in order, adjoining ones as one span. */
export function formatSpans(months: Month[]): string {
  const spans: { first: Month; last: Month }[] = [];
  for (const month of months) {
    const span = spans.at(-1);
    if (span && addMonths(span.last, 1) === month) span.last = month;
    else spans.push({ first: month, last: month });
  }
  return spans
    .map(({ first, last }) =>
      first === last ? formatMonth(first, 'short') : `${formatMonth(first, 'short')} to ${formatMonth(last, 'short')}`,
    )
    .join(', ');
}

/** The months whose last pull failed, each with its reason and a retry. */
function FailedPulls({ rows, game, mayPull }: Omit<CoverageProps, 'schedule'>): ReactElement | null {
  const failed = rows.filter(({ pull, state }) => pull?.state === 'failed' && state !== 'pulling').toReversed();
  if (failed.length === 0) return null;
  return (
    <Notice voice="bad" title={`The last pull of ${countNoun(failed.length, 'month')} failed`}>
      {failed.map((row) => {
        const action = pullActionOf(row);
        return (
          <div key={row.month}>
            <Link href={`/${game.slug}/months/${row.month}`}>{formatMonth(row.month)}</Link>: {row.pull?.failure?.sentence}
            {row.snapshot !== null && ' Its figures are unchanged.'}
            {mayPull && action !== null && (
              <PullButton
                game={game.slug}
                month={row.month}
                kind="quiet"
                isFresh={action.isFresh}
                label="Retry"
                name={`Retry ${formatMonth(row.month)}`}
              />
            )}
          </div>
        );
      })}
    </Notice>
  );
}
