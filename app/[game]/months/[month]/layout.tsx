import type { Metadata } from 'next';
import type { ReactElement, ReactNode } from 'react';
import { requirePerson } from '#app/_server/session.ts';
import { countNoun, formatCount, formatMonth } from '#app/_ui/figures/format.ts';
import { OnTab, Tabs } from '#app/_ui/layout/tabs.tsx';
import type { Snapshot } from '#lib/evidence/rules/evidence.ts';
import { type LoadedMonth, loadMonth } from '../load-month.ts';
import { MonthCards, MonthFigures, MonthHead } from './month-head.tsx';
import { MonthNotices, NoFigures } from './month-notices.tsx';
import { OpenChecks } from './open-checks.tsx';

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
          mark: loaded.row.run?.state === 'draft' && <OpenChecks address={`${href}/close/open`} asOf={loaded.row.readAt} />,
        },
      ]}
    />
  );
}
