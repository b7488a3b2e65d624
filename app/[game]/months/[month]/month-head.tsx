import { ChevronLeft, ChevronRight } from 'lucide-react';
import Link from 'next/link';
import type { ReactElement } from 'react';
import { storedNow } from '#app/_server/wiring.ts';
import { Menu, type MenuEntry } from '#app/_ui/controls/menu.tsx';
import { formatAge, formatDay, formatInstant, formatMonth, formatUtc } from '#app/_ui/figures/format.ts';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import type { SnapshotFacts } from '#db/evidence/reads/months.ts';
import { SHEETS, type SheetName } from '#lib/evidence/rules/sheets.ts';
import type { LoadedMonth } from '../load-month.ts';
import { MONTH_STATE_TONES, pullActionOf } from '../month-state.ts';
import { PullButton } from '../pull.tsx';
import styles from './month.module.css';

interface MonthHeadProps {
  loaded: LoadedMonth;
  mayPull: boolean;
  mayExport: boolean;
}

/** The month, its state and its actions on one line; its window, snapshot and age on the next. */
export async function MonthHead({ loaded, mayPull, mayExport }: MonthHeadProps): Promise<ReactElement> {
  const { game, row } = loaded;
  const { snapshot } = row;
  const action = pullActionOf(row);
  const href = `/${game.slug}/months/${row.month}`;
  return (
    <PageHead
      title={formatMonth(row.month)}
      isTight={snapshot !== null}
      beside={
        <>
          <MonthNav loaded={loaded} />
          <Status tone={MONTH_STATE_TONES[row.state]} word={row.label} />
        </>
      }
      actions={
        snapshot !== null && (
          <>
            <ExportMenu href={href} snapshot={snapshot} mayExport={mayExport} />
            {mayPull && action !== null && (
              <PullButton
                game={game.slug}
                month={row.month}
                kind={action.label === 'Re-check now' ? 'plain' : 'main'}
                label={action.label}
                isFresh={action.isFresh}
              />
            )}
          </>
        )
      }
    >
      {formatWindow(loaded)}
      {snapshot !== null && (
        <>
          {' · '}
          <Link href={`${href}/reconciliation`} className={styles.quietLink}>
            snapshot {snapshot.snapshotId}
          </Link>
          {' · '}
          {formatFreshness(row, game.timeZone, await storedNow())}
        </>
      )}
    </PageHead>
  );
}

function MonthNav({ loaded: { game, previous, next } }: { loaded: LoadedMonth }): ReactElement {
  const href = `/${game.slug}/months`;
  return (
    <nav className={styles.nav} aria-label="Other months" data-print="no">
      <Link href={`${href}/${previous}`} className={styles.step} aria-label={formatMonth(previous)}>
        <ChevronLeft size={16} aria-hidden="true" />
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

/** The days of the month in the game’s time zone: `1 Oct – 31 Oct 2026 UTC`. */
function formatWindow({ game, row }: LoadedMonth): string {
  const lastInstant = new Date(Date.parse(row.window.end) - 1).toISOString();
  const first = formatDay(row.window.start, game.timeZone).replace(/ \d{4}$/, '');
  return `${first} – ${formatDay(lastInstant, game.timeZone)} ${game.timeZone}`;
}

function formatFreshness({ snapshot, recheck }: LoadedMonth['row'], timeZone: string, now: string): string {
  if (snapshot === null) return '';
  if (snapshot.status === 'open') {
    const local = timeZone === 'UTC' ? '' : ` (${formatInstant(snapshot.coveredUntil, timeZone)} ${timeZone})`;
    return `covered until ${formatUtc(snapshot.coveredUntil)}${local}`;
  }
  if (recheck === null) return `pulled ${formatAge(snapshot.createdAt, now)}`;
  return `re-checked ${formatAge(recheck.checkedAt, now)}, ${recheck.isEqual ? 'no changes' : 'figures changed at Invo'}`;
}

const SHEET_LABELS: Record<SheetName, string> = { recipients: 'Recipients', renewals: 'Lines', reversals: 'Reversals' };

interface ExportMenuProps {
  href: string;
  snapshot: SnapshotFacts;
  mayExport: boolean;
}

/** The files of a month: each sheet with its manifest, or why there is none. */
function ExportMenu({ href, snapshot, mayExport }: ExportMenuProps): ReactElement {
  if (!mayExport) {
    return (
      <span className={styles.refused}>
        <span className={styles.reason}>Your role can’t export files.</span>
        <button type="button" disabled className={styles.disabled}>
          Export CSV
        </button>
      </span>
    );
  }
  const isComplete = snapshot.status === 'complete';
  const addressOf = (file: string): string => `${href}/export/${file}${isComplete ? '' : '?incomplete=1'}`;
  const entries = SHEETS.flatMap((sheet): MenuEntry[] => [
    {
      label: SHEET_LABELS[sheet],
      note: isComplete ? `CSV of snapshot ${snapshot.snapshotId}` : 'CSV, marked incomplete',
      href: addressOf(sheet),
      isFile: true,
    },
    {
      label: `${SHEET_LABELS[sheet]}: manifest`,
      note: 'Rows, sums and SHA-256 digest',
      href: addressOf(`${sheet}.manifest.json`),
      isFile: true,
    },
  ]);
  if (isComplete) return <Menu label="Export CSV" entries={entries} />;
  return (
    <span className={styles.refused}>
      <span className={styles.reason}>
        {snapshot.status === 'open' ? 'No complete file until the month is over.' : 'This month doesn’t reconcile: no complete file.'}
      </span>
      <Menu label="Export incomplete CSV" entries={entries} />
    </span>
  );
}
