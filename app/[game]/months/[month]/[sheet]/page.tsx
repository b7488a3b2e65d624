import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactElement } from 'react';
import type { SearchParams } from '#app/[game]/_rows/define-list.ts';
import type { SheetName } from '#lib/evidence/rules/sheets.ts';
import { SheetPage } from '../sheet-page.tsx';

interface TabProps {
  params: Promise<{ game: string; month: string; sheet: string }>;
  searchParams: SearchParams;
}

// The recipients are the month's own page.
const TABS: Record<string, { sheet: SheetName; title: string }> = {
  lines: { sheet: 'renewals', title: 'Lines' },
  reversals: { sheet: 'reversals', title: 'Reversals' },
};

export async function generateMetadata({ params }: TabProps): Promise<Metadata> {
  const tab = tabOf((await params).sheet);
  return tab === null ? {} : { title: tab.title };
}

export default async function SheetTab({ params, searchParams }: TabProps): Promise<ReactElement> {
  const tab = tabOf((await params).sheet) ?? notFound();
  return <SheetPage sheet={tab.sheet} params={params} searchParams={searchParams} />;
}

function tabOf(name: string): { sheet: SheetName; title: string } | null {
  return Object.hasOwn(TABS, name) ? (TABS[name] ?? null) : null;
}
