import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { findGameSettings } from '#db/games/reads.ts';
import { listPeople } from '#db/people/reads.ts';
import { reshapeLimits, reshapeRaise } from '#db/refunds/reads/refund-limits.ts';
import { formatRoles, ROLE_SENTENCES } from '#lib/core/roles.ts';
import { formatReplica } from '#lib/operate/text.ts';
import { listGames } from '../_server/game.ts';
import { requirePerson } from '../_server/session.ts';
import { completeReads, db } from '../_server/wiring.ts';
import { PageHead } from '../_ui/layout/page-head.tsx';
import { Notice } from '../_ui/words/notice.tsx';
import { ApprovalsSection } from './approvals-section.tsx';
import { GamesSection } from './games-section.tsx';
import { LimitsSection } from './limits/limits-section.tsx';
import { PeopleSection } from './people-section.tsx';

export const metadata: Metadata = { title: 'Settings' };

export default async function SettingsPage(): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const [mayManage, mayApprove] = [person.may('people.manage'), person.may('refunds.approve')];
  const replica = mayManage ? await completeReads().check() : null;
  const games = await listGames();
  const ids = games.map(({ gameId }) => gameId);
  const [settings, people] = await Promise.all([findGameSettings(db(), ids), mayManage || mayApprove ? listPeople(db()) : []]);
  const shown = games.flatMap((game) => {
    const found = settings.get(game.gameId);
    return found ? [{ game, health: found.health, limits: reshapeLimits(found.limits), raises: found.raises.map(reshapeRaise) }] : [];
  });
  return (
    <>
      <PageHead title="Settings">
        Signed in as {person.name} ({person.email}). {formatRoles(person.roles)}:{' '}
        {person.roles.map((role) => ROLE_SENTENCES[role]).join(' ')}
      </PageHead>
      {(mayManage || mayApprove) && <ApprovalsSection person={person} people={people} games={shown} />}
      {mayManage && <PeopleSection selfId={person.id} people={people} />}
      {replica !== null && (
        <Notice voice={replica.problem === null ? 'note' : 'wait'} title="Database">
          {formatReplica(replica)}
        </Notice>
      )}
      <GamesSection games={shown} />
      <LimitsSection games={shown} mayChange={mayManage} />
    </>
  );
}
