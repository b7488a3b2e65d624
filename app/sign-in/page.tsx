import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import type { ReactElement } from 'react';
import { formatAbilities, formatRoles } from '#lib/core/roles.ts';
import { DEMO_PEOPLE } from '#lib/people/rules/person.ts';
import { config } from '../_server/server-context.ts';
import { findSelf } from '../_server/session.ts';
import { EntryPage } from '../_ui/layout/entry-page.tsx';
import styles from './forms.module.css';
import { parseNextPath } from './next-path.ts';
import { DemoPeopleForm, SignInForm } from './sign-in-forms.tsx';

export const metadata: Metadata = { title: 'Sign in' };

export default async function SignInPage({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }): Promise<ReactElement> {
  const next = parseNextPath((await searchParams).next);
  if (await findSelf()) redirect(next);
  if (!config().isSimulated) {
    return (
      <EntryPage title="Sign in" sentence="Use the email and password of your Sharebook account." isSimulated={false}>
        <SignInForm next={next} />
      </EntryPage>
    );
  }
  const people = DEMO_PEOPLE.map(({ email, name, roles }) => ({
    email,
    name,
    roleLabel: formatRoles(roles),
    sentence: formatAbilities(roles),
  }));
  return (
    <EntryPage title="Try Sharebook" sentence="Sign in as a demo person. Each has the permissions of their roles." isSimulated>
      <DemoPeopleForm people={people} next={next} />
      <p className={styles.or}>or use email and password</p>
      <SignInForm next={next} />
    </EntryPage>
  );
}
