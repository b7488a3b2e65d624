import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactElement } from 'react';
import { formatAbilities, formatRoles } from '#lib/core/roles.ts';
import { findServers } from '#lib/games/find-servers.ts';
import { findGameSettings } from '#lib/games/reads/game-settings.ts';
import { formatReplica, type ReplicaFacts } from '#lib/observability/text.ts';
import { listPeople } from '#lib/people/reads.ts';
import { type Game, listGames } from '../_server/game.ts';
import { completeReads, config, db } from '../_server/server-context.ts';
import { requirePerson } from '../_server/session.ts';
import { LinkButton } from '../_ui/controls/button.tsx';
import { PageHead } from '../_ui/layout/page-head.tsx';
import { Notice } from '../_ui/words/notice.tsx';
import { ApprovalsSection, listWaiting } from './approvals-section.tsx';
import { GamesSection, LimitsSection, PolicySection } from './games/game-sections.tsx';
import { PeopleSection, RequirementSection } from './people-section.tsx';
import styles from './settings.module.css';
import { formatGameName, type IndexGroup, SettingsIndex, SettingsSection } from './settings-index.tsx';

export const metadata: Metadata = { title: 'Settings' };

export default async function SettingsPage(): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const [mayManage, mayApprove] = [person.may('people.manage'), person.may('refunds.approve')];
  const { mail } = config();
  const isMailed = mail !== null && mail !== 'outbox';
  const games = await listGames();
  const [replica, servers] = mayManage ? await Promise.all([completeReads().check(), findServersOf(games)]) : [null, null];
  const ids = games.map(({ gameId }) => gameId);
  const [settings, found] = await Promise.all([findGameSettings(db(), ids), mayManage || mayApprove ? listPeople(db()) : null]);
  const { people, requiredRoles } = found ?? { people: [], requiredRoles: [] };
  const shown = games.flatMap((game) => {
    const stored = settings.get(game.gameId);
    if (stored === undefined) return [];
    return [{ game, ...stored }];
  });
  const waiting = listWaiting(person.id, people, shown);
  const waitingCount = waiting.unconfirmed.length + waiting.requests.length + waiting.raises.length;
  const proposed = shown.flatMap(({ policies }) => policies.filter(({ isWaiting }) => isWaiting)).length;
  const mayDecide = (mayManage || mayApprove) && (waitingCount > 0 || waiting.own !== null);
  const hasGames = shown.length > 0;
  const hasDatabase = replica !== null || servers !== null;
  const groups: IndexGroup[] = [
    {
      label: 'Access',
      links: [
        { id: 'approvals', label: 'Waiting for approval', count: waitingCount, isShown: mayDecide },
        { id: 'people', label: 'People', isShown: mayManage },
        { id: 'two-factor', label: 'Two-factor', isShown: mayManage },
      ],
    },
    {
      label: 'Money',
      links: [
        { id: 'refund-limits', label: 'Auto-approval limits', isShown: hasGames },
        { id: 'payout-policy', label: 'Payout policy', count: proposed, isShown: hasGames },
        { id: 'accounts', label: 'Journal accounts', isShown: hasGames },
        { id: 'desk-actions', label: 'Desk actions', isShown: hasGames },
      ],
    },
    {
      label: 'Connection',
      links: [
        { id: 'games', label: 'Games', isShown: true },
        { id: 'database', label: 'Database', isShown: hasDatabase },
        { id: 'covered', label: 'Covered routes', isShown: true },
      ],
    },
  ];
  return (
    <>
      <PageHead title="Settings">
        Signed in as {person.name} ({person.email}). {formatRoles(person.roles)}: {formatAbilities(person.roles)}{' '}
        <Link href="/settings/account">Your account</Link>
      </PageHead>
      <SettingsIndex groups={groups}>
        {mayDecide && <ApprovalsSection person={person} people={people} waiting={waiting} />}
        {mayManage && <PeopleSection selfId={person.id} people={people} requiredRoles={requiredRoles} isMailed={isMailed} />}
        {mayManage && <RequirementSection people={people} requiredRoles={requiredRoles} />}
        <LimitsSection games={shown} mayChange={mayManage} />
        <PolicySection games={shown} person={person} people={people} />
        <AccountsSection games={shown.map(({ game }) => game)} />
        <DeskActionsSection games={shown.map(({ game }) => game)} />
        <GamesSection games={shown} />
        {hasDatabase && <DatabaseSection replica={replica} servers={servers} />}
        <CoveredSection />
      </SettingsIndex>
    </>
  );
}

/** Whether the database of this process is on one server: that is read once, not for each page. */
let isOnOneServer = false;

async function findServersOf(games: Game[]): ReturnType<typeof findServers> {
  const servers = isOnOneServer ? null : await findServers(db(), games);
  isOnOneServer = servers === null;
  return servers;
}

interface DatabaseSectionProps {
  replica: ReplicaFacts | null;
  servers: Awaited<ReturnType<typeof findServers>>;
}

/** The servers of a cluster with their games, and the state of the read replica; each only where there is one. */
function DatabaseSection({ replica, servers }: DatabaseSectionProps): ReactElement {
  return (
    <SettingsSection id="database" title="Database">
      {servers !== null && (
        <Notice voice={servers.isRight ? 'note' : 'wait'} title="Servers">
          {servers.message}
        </Notice>
      )}
      {replica !== null && (
        <Notice voice={replica.problem === null ? 'note' : 'wait'} title="Read replica">
          {formatReplica(replica)}
        </Notice>
      )}
    </SettingsSection>
  );
}

/** Leads to the accounts of each game. */
function AccountsSection({ games }: { games: Game[] }): ReactElement | null {
  if (games.length === 0) return null;
  return (
    <SettingsSection id="accounts" title="Journal accounts">
      <p className={styles.text}>The codes and names of your accounts in Xero, QuickBooks or another ledger. Journal files use them.</p>
      <div className={styles.decision}>
        {games.map((game) => (
          <LinkButton key={game.gameId} href={`/settings/accounts/${game.slug}`}>
            {`Accounts of ${formatGameName(game)}`}
          </LinkButton>
        ))}
      </div>
    </SettingsSection>
  );
}

/** Leads to the switches and the milestones of each game. */
function DeskActionsSection({ games }: { games: Game[] }): ReactElement | null {
  if (games.length === 0) return null;
  return (
    <SettingsSection id="desk-actions" title="Desk actions">
      <p className={styles.text}>Which actions support and finance may request at Invo for a player, and the names of milestones.</p>
      <div className={styles.decision}>
        {games.map((game) => (
          <LinkButton key={game.gameId} href={`/settings/desk-actions/${game.slug}`}>
            {`Desk actions of ${formatGameName(game)}`}
          </LinkButton>
        ))}
      </div>
    </SettingsSection>
  );
}

/** Leads to the routes of Invo's contract. */
function CoveredSection(): ReactElement {
  return (
    <SettingsSection id="covered" title="Covered routes">
      <p className={styles.text}>
        Every route of Invo’s contract: which Sharebook reads, which it writes through, and why it doesn’t use the rest.
      </p>
      <div className={styles.decision}>
        <LinkButton href="/settings/covered">Show routes</LinkButton>
      </div>
    </SettingsSection>
  );
}
