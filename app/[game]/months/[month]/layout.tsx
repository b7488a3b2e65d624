import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactElement, ReactNode } from 'react';
import { requirePerson } from '#app/_server/session.ts';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { countNoun, formatAge, formatCount, formatInstantsIn, formatMonth, formatSide, formatUtc } from '#app/_ui/figures/format.ts';
import { LateCount, OnTab, Tabs } from '#app/_ui/layout/tabs.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { PullButton, PullProgress } from '#app/[game]/_pulls/pull.tsx';
import { formatUsd, signOfMoney, subtractMoney } from '#lib/core/money.ts';
import { capitalise } from '#lib/core/strings.ts';
import type { Drift } from '#lib/evidence/reads/drift.ts';
import type { NewerSnapshot } from '#lib/evidence/reads/months.ts';
import type { StoredCheck } from '#lib/evidence/reads/snapshots.ts';
import type { Snapshot } from '#lib/evidence/rules/evidence.ts';
import { checkTextOf, formatDriftLines } from '#lib/evidence/text.ts';
import { type LoadedMonth, loadMonth, pullActionOf } from '../load-month.ts';
import styles from './month.module.css';
import { MonthCards, MonthFigures, MonthHead } from './month-head.tsx';

interface MonthLayoutProps {
  children: ReactNode;
  params: Promise<{ game: string; month: string }>;
}

export async function generateMetadata({ params }: MonthLayoutProps): Promise<Metadata> {
  await requirePerson('figures.read');
  const { game: slug, month } = await params;
  const { game, row } = await loadMonth(slug, month);
  return { title: { default: formatMonth(row.month), template: `%s · ${formatMonth(row.month)} · ${game.name} · Sharebook` } };
}

export default async function MonthLayout({ children, params }: MonthLayoutProps): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const { game: slug, month } = await params;
  const loaded = await loadMonth(slug, month);
  const { game, row } = loaded;
  const { snapshot } = row;
  const mayPull = person.may('pulls.start');
  const href = `/${game.slug}/months/${row.month}`;
  return (
    <>
      <MonthHead loaded={loaded} mayPull={mayPull} mayExport={person.may('files.export')} />
      {snapshot !== null && <OnTab href={href} others={<MonthFigures snapshot={snapshot} />} />}
      <MonthNotices loaded={loaded} mayPull={mayPull} />
      {snapshot === null ? (
        <NoFigures loaded={loaded} mayPull={mayPull} />
      ) : (
        <>
          <OnTab href={href} first={<MonthCards row={row} snapshot={snapshot} />} />
          <MonthTabs href={href} loaded={loaded} snapshot={snapshot} />
          {children}
        </>
      )}
    </>
  );
}

function MonthTabs({ href, loaded, snapshot }: { href: string; loaded: LoadedMonth; snapshot: Snapshot }): ReactElement {
  const failing = snapshot.checkCount - snapshot.checkOkCount;
  const openItems = snapshot.openItemCount;
  const failingLabel = snapshot.status === 'inconsistent' ? `${formatCount(failing)} failing` : countNoun(failing, 'warning');
  return (
    <Tabs
      label="Parts of this month"
      tabs={[
        { label: 'Recipients', href, count: formatCount(snapshot.totals.recipient_count) },
        { label: 'Reversals', href: `${href}/reversals`, count: formatCount(snapshot.reversalEventCount) },
        { label: 'Lines', href: `${href}/lines`, count: formatCount(snapshot.renewalLineCount) },
        { label: 'Open items', href: `${href}/open-items`, count: formatCount(openItems), ...(openItems > 0 ? { tone: 'wait' } : {}) },
        { label: 'Fees', href: `${href}/fees` },
        {
          label: 'Reconciliation',
          href: `${href}/reconciliation`,
          ...(failing === 0
            ? { count: formatCount(snapshot.checkCount) }
            : { count: failingLabel, tone: snapshot.status === 'inconsistent' ? 'bad' : 'wait' }),
        },
        {
          label: 'Close',
          href: `${href}/close`,
          // Counting takes the reads of the Close tab.
          mark: loaded.row.run?.state === 'draft' && <LateCount address={`${href}/close/open`} asOf={loaded.row.readAt} />,
        },
      ]}
    />
  );
}

interface MonthNoticesProps {
  loaded: LoadedMonth;
  mayPull: boolean;
}

/** What one needs to know before reading the figures: a pull that runs or failed, figures that changed or don’t reconcile. */
function MonthNotices({ loaded, mayPull }: MonthNoticesProps): ReactElement {
  const { game, row } = loaded;
  const { pull, snapshot, newer, recheck, drift } = row;
  const href = `/${game.slug}/months/${row.month}/reconciliation`;
  return (
    <div className={styles.notices}>
      {row.state === 'pulling' && pull !== null && <PullProgress key={pull.pullId} game={game.slug} first={pull} />}
      {pull?.state === 'failed' && pull.failure !== null && <FailedPull loaded={loaded} failure={pull.failure} mayPull={mayPull} />}
      {snapshot?.status === 'inconsistent' && <NotReconciled failing={row.failingChecks} href={href} />}
      {snapshot?.status === 'open' && (
        <Notice voice="wait" title={`Provisional: covered until ${formatUtc(snapshot.coveredUntil)}`}>
          {row.state === 'incomplete'
            ? `${formatMonth(row.month)} is over. Pull the rest to get its final figures.`
            : 'Later renewals and refunds will change these figures.'}
        </Notice>
      )}
      {snapshot !== null && newer === null && recheck?.isEqual === false && (
        <Notice voice="bad" title={`Invo reports other totals for ${formatMonth(row.month)}`}>
          {`The re-check of ${formatUtc(recheck.checkedAt)} found them. The figures below are those of snapshot ${snapshot.snapshotId}. `}
          {row.state === 'pulling' ? 'Sharebook pulls what changed.' : 'Re-check the month to pull what changed.'}
        </Notice>
      )}
      {snapshot !== null && newer !== null && <NewerNotReconciled snapshot={snapshot} newer={newer} href={href} />}
      {snapshot !== null && drift !== null && <Drifted drift={drift} snapshot={snapshot} href={`${href}#drift`} />}
    </div>
  );
}

/** A month without figures: why, and what to do. */
function NoFigures({ loaded, mayPull }: MonthNoticesProps): ReactElement {
  const { game, row } = loaded;
  const name = formatMonth(row.month);
  const action = pullActionOf(row);
  if (row.state === 'not_started')
    return (
      <EmptyState title={`${name} hasn’t started`}>It starts on {formatUtc(row.window.start)}. There is nothing to pull yet.</EmptyState>
    );
  if (row.state === 'pulling')
    return <EmptyState title={`Pulling ${name}`}>Figures appear here when every line is stored and checked.</EmptyState>;
  return (
    <EmptyState
      title={row.state === 'failed' ? `No figures for ${name} yet` : `${name} is not pulled`}
      action={
        mayPull &&
        action !== null && (
          <PullButton game={game.slug} month={row.month} label={row.state === 'failed' ? action.label : `${action.label} ${name}`} />
        )
      }
    >
      {row.pull?.failure?.code === 'unauthorized'
        ? 'Nothing was stored.'
        : mayPull
          ? 'A pull reads every renewal and refund of the month, stores Invo’s responses and reconciles the totals. It changes nothing at Invo.'
          : 'The finance and admin roles can pull it.'}
    </EmptyState>
  );
}

interface FailedPullProps {
  loaded: LoadedMonth;
  failure: { code: string; sentence: string; errorId: string | null };
  mayPull: boolean;
}

const FAILURE_TITLES: Record<string, string> = {
  unauthorized: 'Invo refused the game secret',
  not_live: 'The game is neither live nor in testing at Invo',
};

function FailedPull({ loaded, failure, mayPull }: FailedPullProps): ReactElement {
  const { row } = loaded;
  const title = FAILURE_TITLES[failure.code] ?? `The last pull of ${formatMonth(row.month)} failed`;
  return (
    <Notice voice="bad" title={title} actions={failure.errorId !== null && <CopyButton text={failure.errorId} what="error ID" />}>
      {withoutTitle(failure.sentence, title)}
      {row.snapshot !== null && ' The figures below are unchanged.'}
      {row.pull?.endedAt && ` Failed ${formatAge(row.pull.endedAt, row.readAt)}.`}
      {failure.code === 'unauthorized' &&
        mayPull &&
        ' Restart Sharebook with the correct secret, then pull the month from the list of months.'}
    </Notice>
  );
}

/** The sentence without a title it starts with. */
function withoutTitle(sentence: string, title: string): string {
  const rest = sentence.startsWith(`${title}: `) ? sentence.slice(title.length + 2) : sentence;
  return capitalise(rest);
}

/** Checks listed in the notice; the reconciliation has them all. */
const CHECKS_LISTED = 3;

/** Figures that contradict each other: which checks, both sides of each, the exact difference, and what to do. */
function NotReconciled({ failing, href }: { failing: StoredCheck[]; href: string }): ReactElement {
  return (
    <Notice voice="bad" title="This month doesn’t reconcile" actions={<Link href={href}>View checks</Link>}>
      {failing.slice(0, CHECKS_LISTED).map(formatFailure).join(' ')}
      {failing.length > CHECKS_LISTED && ` And ${formatCount(failing.length - CHECKS_LISTED)} more.`} All received data is kept. No figure
      was adjusted. Pull the month again; if it still doesn’t reconcile, send Invo the check and both figures.
    </Notice>
  );
}

function formatFailure({ name, expected, actual, difference, offenders }: StoredCheck): string {
  const text = checkTextOf(name);
  const [first] = offenders;
  const sides = `${text.expected} ${formatSide(expected)}, ${text.actual} ${formatSide(actual)}`;
  return `“${text.title}” doesn’t match: ${sides}${difference === null ? '' : `, a difference of ${formatSide(difference)}`}${first ? ` (first at ${formatInstantsIn(first.subject)})` : ''}.`;
}

const COMPARED = [
  { label: 'Gross', name: 'gross_attributed_usd' },
  { label: 'Reversed', name: 'reversed_attributed_usd' },
  { label: 'Net attributed', name: 'net_attributed_usd' },
] as const;

/** A later snapshot that doesn’t reconcile: its figures beside the reconciled ones, never instead of them. */
function NewerNotReconciled({ snapshot, newer, href }: { snapshot: Snapshot; newer: NewerSnapshot; href: string }): ReactElement {
  const changed = COMPARED.map(({ label, name }) => ({
    label,
    amount: newer[name],
    difference: subtractMoney(newer[name], snapshot.totals[name]),
  })).filter(({ difference }) => signOfMoney(difference) !== 0);
  return (
    <Notice
      voice="bad"
      title="A newer snapshot doesn’t reconcile. The last reconciled figures are shown."
      actions={<Link href={href}>Compare snapshots</Link>}
    >
      {changed.length === 0
        ? `Snapshot ${newer.snapshotId} has the same totals, but its lines don’t sum to them. `
        : changed.map(
            ({ label, amount, difference }) =>
              `${label} is ${formatUsd(amount)} in snapshot ${newer.snapshotId}, a difference of ${formatUsd(difference)}. `,
          )}
      It was pulled on {formatUtc(newer.createdAt)} and is kept. Pay and export by snapshot {snapshot.snapshotId}.
    </Notice>
  );
}

function Drifted({ drift, snapshot, href }: { drift: Drift; snapshot: Snapshot; href: string }): ReactElement {
  const { from, net_change_usd: change } = drift;
  const { net_attributed_usd: net } = snapshot.totals;
  return (
    <Notice voice="wait" title={`Invo’s figures changed since snapshot ${from.snapshotId}`} actions={<Link href={href}>View changes</Link>}>
      {signOfMoney(change) === 0
        ? 'Net attributed is the same. '
        : `Net attributed changed from ${formatUsd(subtractMoney(net, change))} to ${formatUsd(net)}, a difference of ${formatUsd(change)}. `}
      {formatDriftLines(drift)} Snapshot {from.snapshotId} of {formatUtc(from.createdAt)} is kept and can still be exported.
    </Notice>
  );
}
