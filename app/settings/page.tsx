import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { ROLE_LABELS, ROLE_SENTENCES } from '#lib/core/roles.ts';
import { requirePerson } from '../_server/session.ts';
import { PageHead } from '../_ui/layout/page-head.tsx';
import { GamesSection } from './games-section.tsx';
import { LimitsSection } from './limits/limits-section.tsx';
import { PeopleSection } from './people-section.tsx';

export const metadata: Metadata = { title: 'Settings' };

export default async function SettingsPage(): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  return (
    <>
      <PageHead title="Settings">
        Signed in as {person.name} ({person.email}). {ROLE_LABELS[person.role]}: {ROLE_SENTENCES[person.role]}
      </PageHead>
      {person.may('people.manage') && <PeopleSection />}
      <GamesSection />
      <LimitsSection />
    </>
  );
}
