import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import type { ReactElement } from 'react';
import { config } from '#app/_server/server-context.ts';
import { findSelf } from '#app/_server/session.ts';
import { findStartedStep } from '#app/_server/sign-in-cookies.ts';
import { EntryPage } from '#app/_ui/layout/entry-page.tsx';
import styles from '../forms.module.css';
import { parseNextPath } from '../next-path.ts';
import { CodeForm } from '../sign-in-forms.tsx';

export const metadata: Metadata = { title: 'Enter your code' };

export default async function CodePage({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }): Promise<ReactElement> {
  const next = parseNextPath((await searchParams).next);
  if (await findSelf()) redirect(next);
  if ((await findStartedStep()) === null) redirect('/sign-in');
  return (
    <EntryPage title="Enter your code" sentence="Enter the code from your authenticator app." isSimulated={config().isSimulated}>
      <CodeForm next={next} />
      <p className={styles.leave}>
        No phone and no backup codes? An admin can reset your two-factor authentication.
        <Link href="/sign-in">Sign in as someone else</Link>
      </p>
    </EntryPage>
  );
}
