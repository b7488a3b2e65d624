import type { Metadata } from 'next';
import type { ReactElement, ReactNode } from 'react';
import { requirePerson } from '#app/_server/session.ts';
import { formatMonth } from '#app/_ui/figures/format-instant.ts';
import { MonthHeader } from './head/month-header.tsx';
import { MonthTabs } from './head/month-tabs.tsx';
import { loadMonth } from './load-month.ts';
import { MonthAnswer } from './month-answer.tsx';
import { NoFigures } from './no-figures.tsx';
import { MonthNotices } from './notices/month-notices.tsx';

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
  const { snapshot } = loaded.row;
  const mayPull = person.may('pulls.start');
  return (
    <>
      <MonthHeader loaded={loaded} mayPull={mayPull} mayExport={person.may('files.export')} />
      <MonthNotices loaded={loaded} mayPull={mayPull} />
      {snapshot === null ? (
        <NoFigures loaded={loaded} mayPull={mayPull} />
      ) : (
        <>
          <MonthAnswer row={loaded.row} snapshot={snapshot} />
          <MonthTabs href={`/${loaded.game.slug}/months/${loaded.row.month}`} snapshot={snapshot} />
          {children}
        </>
      )}
    </>
  );
}
