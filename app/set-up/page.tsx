import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { findSetUpLink } from '#lib/people/find-set-up-link.ts';
import { LINK_REFUSALS, OPEN_LINKS, PASSWORD_HINT } from '#lib/people/text.ts';
import { config, db } from '../_server/server-context.ts';
import { LinkButton } from '../_ui/controls/button.tsx';
import { EntryPage } from '../_ui/layout/entry-page.tsx';
import { SetUpForm } from './set-up-form.tsx';

// The address carries a secret, so no other site may see it as a referrer.
export const metadata: Metadata = { title: 'Set up', referrer: 'no-referrer' };

export default async function SetUpPage({ searchParams }: { searchParams: Promise<{ token?: string | string[] }> }): Promise<ReactElement> {
  const { token } = await searchParams;
  const given = typeof token === 'string' ? token : '';
  const link = await findSetUpLink(db(), given);
  if (!link.ok) {
    return (
      <EntryPage {...LINK_REFUSALS[link.reason]} isSimulated={config().isSimulated}>
        <LinkButton href="/sign-in">Go to sign-in</LinkButton>
      </EntryPage>
    );
  }
  const person = link.person && { name: link.person.name, email: link.person.email };
  return (
    <EntryPage {...OPEN_LINKS[link.purpose]} isSimulated={config().isSimulated}>
      <SetUpForm token={given} person={person} asksName={link.purpose !== 'new_password'} passwordHint={PASSWORD_HINT} />
    </EntryPage>
  );
}
