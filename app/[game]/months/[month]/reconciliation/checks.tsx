import { clsx } from 'clsx';
import { ChevronRight } from 'lucide-react';
import type { ReactElement } from 'react';
import { formatCount, formatInstantsIn, formatSide } from '#app/_ui/figures/format.ts';
import { NarrowNote, type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { Matches, Status } from '#app/_ui/words/status.tsx';
import type { StoredCheck } from '#lib/evidence/reads/snapshots.ts';
import { CHECK_GROUPS, type CheckGroup, checkTextOf } from '#lib/evidence/text.ts';
import styles from './reconciliation.module.css';

/** The checks of a snapshot: those that don’t match first with both sides, then each group, folded to one line when all of it matches. */
export function Checks({ snapshotId, checks }: { snapshotId: number; checks: StoredCheck[] }): ReactElement {
  const failing = failingFirst(checks);
  const groups = groupChecks(checks);
  const label = `Checks of snapshot ${snapshotId}`;
  return (
    <section className={styles.checks} aria-label={label}>
      <p className={styles.summary}>
        <strong>{formatSummary(checks)}</strong> <span className={styles.effect}>{formatEffect(failing)}</span>
        <span className={styles.unit}>Amounts in USD</span>
      </p>
      <Head />
      {failing.length > 0 && <ChecksTable label="Checks that don’t match" checks={failing} />}
      {groups.map(({ group, matching, count }) => (
        <details key={group} className={styles.group} open={matching.length < count}>
          <summary className={styles.fold}>
            <ChevronRight size={14} aria-hidden="true" className={styles.chevron} />
            {CHECK_GROUPS[group]}
            <span className={matching.length === count ? styles.allMatch : styles.someFail}>
              {formatCount(matching.length)} of {formatCount(count)} match
            </span>
          </summary>
          {matching.length > 0 && <ChecksTable label={CHECK_GROUPS[group]} checks={matching} />}
        </details>
      ))}
    </section>
  );
}

/** Only the checks that don’t match, for a newer snapshot whose figures aren’t shown. */
export function FailingChecks({ label, checks }: { label: string; checks: StoredCheck[] }): ReactElement {
  return (
    <section className={styles.checks} aria-label={label}>
      <p className={styles.summary}>
        <strong>{label}</strong>
      </p>
      <Head />
      <ChecksTable label={label} checks={failingFirst(checks)} />
    </section>
  );
}

/** `46 of 47 checks match.` */
export function formatSummary(checks: StoredCheck[]): string {
  const matching = checks.filter(({ ok }) => ok).length;
  return `${formatCount(matching)} of ${formatCount(checks.length)} checks match.`;
}

/** The groups in their order, each with the checks that match and how many it has; a group without checks is left out. */
export function groupChecks(checks: StoredCheck[]): { group: CheckGroup; matching: StoredCheck[]; count: number }[] {
  const groups = Object.keys(CHECK_GROUPS) as CheckGroup[];
  return groups.flatMap((group) => {
    const own = checks.filter(({ name }) => checkTextOf(name).group === group);
    return own.length === 0 ? [] : [{ group, matching: own.filter(({ ok }) => ok), count: own.length }];
  });
}

/** The checks that don’t match, those that block the month before warnings. */
export function failingFirst(checks: StoredCheck[]): StoredCheck[] {
  return checks.filter(({ ok }) => !ok).toSorted((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'));
}

function formatEffect(failing: StoredCheck[]): string {
  const warnings = failing.filter(({ severity }) => severity === 'warning').length;
  if (failing.length > warnings) return 'This month can’t be exported as complete.';
  if (warnings === 0) return '';
  return warnings === 1 ? '1 warning doesn’t block the month.' : `${warnings} warnings don’t block the month.`;
}

/** One visible head for all groups; each table has the same for screen readers. */
function Head(): ReactElement {
  return (
    <div className={styles.head} aria-hidden="true">
      {COLUMNS.map(({ label, width, isFigure, isWideOnly }) => (
        <span
          key={label}
          className={clsx(isFigure && styles.figure, isWideOnly && styles.wideOnly)}
          {...(width === undefined ? {} : { style: { width } })}
        >
          {label}
        </span>
      ))}
    </div>
  );
}

function ChecksTable({ label, checks }: { label: string; checks: StoredCheck[] }): ReactElement {
  return (
    <div className={styles.rows}>
      <SimpleTable
        label={label}
        columns={COLUMNS}
        rows={checks}
        keyOf={({ name }) => name}
        isInset
        isHeadHidden
        toneOf={({ ok, severity }) => (ok ? null : severity === 'hard' ? 'bad' : 'wait')}
      />
    </div>
  );
}

/** Of each column beside the check, in pixels. */
const WIDTH = 118;

const COLUMNS: SimpleColumn<StoredCheck>[] = [
  { label: 'Check', cell: (check) => <CheckTitle check={check} /> },
  { label: 'Result', width: WIDTH, cell: (check) => <Result check={check} />, isWideOnly: true },
  {
    label: 'Invo',
    isFigure: true,
    isWideOnly: true,
    width: WIDTH,
    cell: (check) => <Side text={check.expected} label={checkTextOf(check.name).expected} />,
  },
  {
    label: 'Evidence',
    isFigure: true,
    isWideOnly: true,
    width: WIDTH,
    cell: (check) => <Side text={check.actual} label={checkTextOf(check.name).actual} />,
  },
  { label: 'Difference', isFigure: true, width: WIDTH, cell: (check) => <Difference check={check} /> },
];

function CheckTitle({ check }: { check: StoredCheck }): ReactElement {
  const text = checkTextOf(check.name);
  return (
    <span className={styles.title}>
      {text.title}
      {!check.ok && <span className={styles.side}>No figure was adjusted.</span>}
      <NarrowNote>
        {text.expected} {formatSide(check.expected)} · {text.actual} {formatSide(check.actual)}
      </NarrowNote>
      {check.offenders.length > 0 && (
        <details className={styles.offenders} open={!check.ok}>
          <summary>First rows that don’t match</summary>
          <ul>
            {check.offenders.map(({ subject, expected, actual }) => (
              <li key={`${subject} ${expected} ${actual}`}>
                <bdi>{formatInstantsIn(subject)}</bdi>: {formatSide(expected)} against {formatSide(actual)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </span>
  );
}

function Result({ check: { ok, severity } }: { check: StoredCheck }): ReactElement {
  if (ok) return <Matches />;
  return severity === 'hard' ? <Status tone="bad" word="Doesn’t match" /> : <Status tone="wait" word="Warning" />;
}

function Side({ text, label }: { text: string; label: string }): ReactElement {
  return (
    <span title={label} className={styles.value}>
      {formatSide(text)}
    </span>
  );
}

function Difference({ check }: { check: StoredCheck }): ReactElement {
  if (check.ok)
    return <span className={styles.none}>{checkTextOf(check.name).isBound && check.difference !== null ? 'within' : 'none'}</span>;
  return (
    <strong>
      {check.difference === null ? 'see both figures' : formatSide(check.difference)}
      <NarrowNote>{check.severity === 'hard' ? 'Doesn’t match' : 'Warning'}</NarrowNote>
    </strong>
  );
}
