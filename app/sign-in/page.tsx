import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import type { ReactElement } from 'react';
import { ROLE_LABELS, ROLE_SENTENCES } from '#lib/core/roles.ts';
import { DEMO_PEOPLE } from '#lib/people/rules/demo-people.ts';
import { findPerson } from '../_server/session.ts';
import { config } from '../_server/wiring.ts';
import { Door } from '../_ui/layout/door.tsx';
import { DemoPeopleForm } from './demo-people-form.tsx';
import styles from './forms.module.css';
import { readNextAddress } from './next-address.ts';
import { SignInForm } from './sign-in-form.tsx';

export const metadata: Metadata = { title: 'Sign in' };

export default async function SignInPage({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }): Promise<ReactElement> {
  const next = readNextAddress((await searchParams).next);
  if (await findPerson()) redirect(next);
  if (!config().isSimulated) {
    return (
      <Door title="Sign in" sentence="With the e-mail and the password you set for Sharebook." isSimulated={false}>
        <SignInForm next={next} />
      </Door>
    );
  }
  const people = DEMO_PEOPLE.map(({ email, name, role }) => ({
    email,
    name,
    roleLabel: ROLE_LABELS[role],
    sentence: ROLE_SENTENCES[role],
  }));
  return (
    <Door title="Look around" sentence="Pick a person. Each has one role and sees what that role may see." isSimulated>
      <DemoPeopleForm people={people} next={next} />
      <p className={styles.or}>or with e-mail and password</p>
      <SignInForm next={next} />
    </Door>
  );
}
