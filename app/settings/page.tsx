import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { ROLE_LABELS, ROLE_SENTENCES } from '#lib/core/roles.ts';
import { formatReplica } from '#lib/operate/text.ts';
import { requirePerson } from '../_server/session.ts';
import { completeReads } from '../_server/wiring.ts';
import { PageHead } from '../_ui/layout/page-head.tsx';
import { Notice } from '../_ui/words/notice.tsx';
import { GamesSection } from './games-section.tsx';
import { LimitsSection } from './limits/limits-section.tsx';
import { PeopleSection } from './people-section.tsx';

export const metadata: Metadata = { title: 'Settings' };

export default async function SettingsPage(): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const replica = person.may('people.manage') ? await completeReads().check() : null;
  return (
    <>
      <PageHead title="Settings">
        Signed in as {person.name} ({person.email}). {ROLE_LABELS[person.role]}: {ROLE_SENTENCES[person.role]}
      </PageHead>
      {person.may('people.manage') && <PeopleSection />}
      {replica !== null && (
        <Notice voice={replica.problem === null ? 'note' : 'wait'} title="Database">
          {formatReplica(replica)}
        </Notice>
      )}
      <GamesSection />
      <LimitsSection />
    </>
  );
}
