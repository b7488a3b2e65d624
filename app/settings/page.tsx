import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { findGameSettings } from '#db/games/reads.ts';
import { reshapeLimits } from '#db/refunds/reads/refund-preconditions.ts';
import { ROLE_LABELS, ROLE_SENTENCES } from '#lib/core/roles.ts';
import { formatReplica } from '#lib/operate/text.ts';
import { listGames } from '../_server/game.ts';
import { requirePerson } from '../_server/session.ts';
import { completeReads, db } from '../_server/wiring.ts';
import { PageHead } from '../_ui/layout/page-head.tsx';
import { Notice } from '../_ui/words/notice.tsx';
import { GamesSection } from './games-section.tsx';
import { LimitsSection } from './limits/limits-section.tsx';
import { PeopleSection } from './people-section.tsx';

export const metadata: Metadata = { title: 'Settings' };

export default async function SettingsPage(): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const replica = person.may('people.manage') ? await completeReads().check() : null;
  const games = await listGames();
  const settings = await findGameSettings(
    db(),
    games.map(({ gameId }) => gameId),
  );
  const shown = games.flatMap((game) => {
    const found = settings.get(game.gameId);
    return found ? [{ game, health: found.health, limits: reshapeLimits(found.limits) }] : [];
  });
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
      <GamesSection games={shown} />
      <LimitsSection games={shown} mayChange={person.may('people.manage')} />
    </>
  );
}
