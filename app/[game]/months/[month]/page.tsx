import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import type { SearchParams } from '#app/[game]/_rows/define-list.ts';
import { SheetPage } from './sheet-page.tsx';

export const metadata: Metadata = { title: 'Recipients' };

export default function RecipientsPage(props: {
  params: Promise<{ game: string; month: string }>;
  searchParams: SearchParams;
}): ReactElement {
  return <SheetPage sheet="recipients" {...props} />;
}
