import Link from 'next/link';
import type { ReactElement } from 'react';
import { storedNow } from '#app/_server/clock.ts';
import { countNoun } from '#app/_ui/figures/format-count.ts';
import { formatAge, formatInstant, formatMonth, formatUtc } from '#app/_ui/figures/format-instant.ts';
import { MonthNav } from '#app/_ui/layout/month-nav.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { askFor } from '#app/[game]/months/_asking/ask-for.ts';
import { PullButton } from '#app/[game]/months/_asking/pull-button.tsx';
import { MONTH_STATE_WORDS } from '#app/[game]/months/month-state.ts';
import type { LoadedMonth } from '../load-month.ts';
import { ExportMenu } from './export-menu.tsx';
import styles from './month-header.module.css';

interface MonthHeaderProps {
  loaded: LoadedMonth;
  mayPull: boolean;
  mayExport: boolean;
}

/** Which month this is, where it stands, and what one may do with it. */
export async function MonthHeader({ loaded, mayPull, mayExport }: MonthHeaderProps): Promise<ReactElement> {
  const { game, row, previous, next } = loaded;
  const ask = askFor(row);
  const { snapshot, window } = row;
  return (
    <PageHead
      title={formatMonth(row.month)}
      beside={
        <>
          <MonthNav href={`/${game.slug}/months`} previous={previous} next={next} />
          <Status tone={MONTH_STATE_WORDS[row.state].tone} word={MONTH_STATE_WORDS[row.state].word} />
        </>
      }
      actions={
        snapshot !== null && (
          <>
            <ExportMenu
              game={game.slug}
              month={row.month}
              snapshotId={snapshot.snapshotId}
              status={snapshot.status}
              mayExport={mayExport}
            />
            {mayPull && ask !== null && (
              <PullButton
                game={game.slug}
                month={row.month}
                kind={row.state === 'proven' || row.state === 'rechecked' ? 'plain' : 'main'}
                {...ask}
              />
            )}
          </>
        )
      }
    >
      {row.state === 'not_begun' ? 'What settles' : 'Settled'} from {formatInstant(window.start, 'UTC')} up to, not including,{' '}
      {formatUtc(window.end)}
      {game.timeZone !== 'UTC' && ` (${formatMonth(row.month)} in ${game.timeZone})`}
      {snapshot !== null && (
        <>
          {' · '}
          {freshness(row, game.timeZone, await storedNow())}
          {' · '}snapshot {snapshot.snapshotId}
          {' · '}
          <Link href={`/${game.slug}/months/${row.month}/proof`} className={styles.proof}>
            {snapshot.checkOkCount} of {countNoun(snapshot.checkCount, 'check')} tie
          </Link>
        </>
      )}
    </PageHead>
  );
}

function freshness({ snapshot, recheck }: LoadedMonth['row'], timeZone: string, now: string): string {
  if (snapshot === null) return '';
  if (snapshot.status === 'open') {
    const local = timeZone === 'UTC' ? '' : ` (${formatInstant(snapshot.coveredUntil, timeZone)} ${timeZone})`;
    return `covered until ${formatUtc(snapshot.coveredUntil)}${local}`;
  }
  if (recheck !== null) return `re-checked ${formatAge(recheck.checkedAt, now)} with ${countNoun(recheck.callCount, 'call')}`;
  return `pulled ${formatAge(snapshot.createdAt, now)}`;
}
