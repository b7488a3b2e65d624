import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { findSetUpLink } from '#lib/people/find-set-up-link.ts';
import { PASSWORD_LENGTH_MIN } from '#lib/people/rules/password-length.ts';
import { config, db } from '../_server/wiring.ts';
import { LinkButton } from '../_ui/controls/button.tsx';
import { Door } from '../_ui/layout/door.tsx';
import { SetUpForm } from './set-up-form.tsx';
import { CLOSED_LINK_WORDS } from './set-up-words.ts';

// The address carries a secret: no other site is told it.
export const metadata: Metadata = { title: 'Set up', referrer: 'no-referrer' };

const OPEN_LINK_WORDS = {
  first_admin: { title: 'Set Sharebook up', sentence: 'You become its first admin: you say who else may come in, and what they may do.' },
  invitation: { title: 'Welcome to Sharebook', sentence: 'Set a password of your own. This link works once.' },
  new_password: {
    title: 'Set a new password',
    sentence: 'It replaces the old one and signs you out everywhere else. This link works once.',
  },
};

export default async function SetUpPage({ searchParams }: { searchParams: Promise<{ token?: string | string[] }> }): Promise<ReactElement> {
  const { token } = await searchParams;
  const given = typeof token === 'string' ? token : '';
  const link = await findSetUpLink(db(), given);
  if (!link.ok) {
    return (
      <Door {...CLOSED_LINK_WORDS[link.reason]} isSimulated={config().isSimulated}>
        <LinkButton href="/sign-in">To the sign-in page</LinkButton>
      </Door>
    );
  }
  const person = link.person && { name: link.person.name, email: link.person.email };
  return (
    <Door {...OPEN_LINK_WORDS[link.purpose]} isSimulated={config().isSimulated}>
      <SetUpForm
        token={given}
        person={person}
        passwordHint={`${PASSWORD_LENGTH_MIN} characters or more. A sentence is easier to keep than a riddle.`}
      />
    </Door>
  );
}
