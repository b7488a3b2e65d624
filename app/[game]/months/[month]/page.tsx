import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import type { SearchParams } from '#app/[game]/_rows/define-list.ts';
import { SheetPage } from './sheet-page.tsx';

interface RecipientsPageProps {
  params: Promise<{ game: string; month: string }>;
  searchParams: SearchParams;
}

export const metadata: Metadata = { title: 'Recipients' };

export default function RecipientsPage(props: RecipientsPageProps): ReactElement {
  return <SheetPage sheet="recipients" {...props} />;
}
