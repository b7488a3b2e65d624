import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactElement } from 'react';
import { findGameSettings } from '#db/games/reads.ts';
import { listPausedGames } from '#db/payouts/reads/payout-pause.ts';
import { listPeople } from '#db/people/reads.ts';
import { reshapeLimits, reshapeRaise } from '#db/refunds/reads/refund-limits.ts';
import { formatAbilities, formatRoles } from '#lib/core/roles.ts';
import { formatReplica } from '#lib/operate/text.ts';
import { type Game, listGames } from '../_server/game.ts';
import { requirePerson } from '../_server/session.ts';
import { completeReads, db, pool } from '../_server/wiring.ts';
import { LinkButton } from '../_ui/controls/button.tsx';
import { PageHead } from '../_ui/layout/page-head.tsx';
import { Notice } from '../_ui/words/notice.tsx';
import { ApprovalsSection } from './approvals-section.tsx';
import { GamesSection } from './games-section.tsx';
import { LimitsSection } from './limits/limits-section.tsx';
import { PolicySection } from './payouts/policy-section.tsx';
import { PeopleSection } from './people-section.tsx';
import styles from './settings.module.css';
import { RequirementSection } from './two-factor/requirement-section.tsx';

export const metadata: Metadata = { title: 'Settings' };

export default async function SettingsPage(): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const [mayManage, mayApprove] = [person.may('people.manage'), person.may('refunds.approve')];
  const replica = mayManage ? await completeReads().check() : null;
  const games = await listGames();
  const ids = games.map(({ gameId }) => gameId);
  const [settings, found, pausedIds] = await Promise.all([
    findGameSettings(db(), ids),
    mayManage || mayApprove ? listPeople(db()) : null,
    listPausedGames(pool(), ids),
  ]);
  const { people, requiredRoles } = found ?? { people: [], requiredRoles: [] };
  const shown = games.flatMap((game) => {
    const stored = settings.get(game.gameId);
    if (stored === undefined) return [];
    const { health, limits, raises, policies } = stored;
    return [{ game, health, limits: reshapeLimits(limits), raises: raises.map(reshapeRaise), policies }];
  });
  return (
    <>
      <PageHead title="Settings">
        Signed in as {person.name} ({person.email}). {formatRoles(person.roles)}: {formatAbilities(person.roles)}{' '}
        <Link href="/settings/account">Your account</Link>
      </PageHead>
      {(mayManage || mayApprove) && <ApprovalsSection person={person} people={people} games={shown} />}
      {mayManage && <PeopleSection selfId={person.id} people={people} requiredRoles={requiredRoles} />}
      {mayManage && <RequirementSection people={people} requiredRoles={requiredRoles} />}
      {replica !== null && (
        <Notice voice={replica.problem === null ? 'note' : 'wait'} title="Database">
          {formatReplica(replica)}
        </Notice>
      )}
      <GamesSection games={shown} pausedIds={pausedIds} />
      <LimitsSection games={shown} mayChange={mayManage} />
      <PolicySection games={shown} person={person} />
      <AccountsSection games={games} />
      <CoveredSection />
    </>
  );
}

/** Leads to the accounts of each game. */
function AccountsSection({ games }: { games: Game[] }): ReactElement | null {
  if (games.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="accounts">
      <div className={styles.head}>
        <h2 id="accounts">Accounts</h2>
      </div>
      <p className={styles.text}>
        What the accounts of journals are called in your books: codes and names for Xero, QuickBooks and others.
      </p>
      <div className={styles.decision}>
        {games.map(({ gameId, slug, name, environment }) => (
          <LinkButton key={gameId} href={`/settings/accounts/${slug}`}>
            {`Accounts of ${environment === 'sandbox' ? `${name}, sandbox` : name}`}
          </LinkButton>
        ))}
      </div>
    </section>
  );
}

/** Leads to the routes of Invo's contract. */
function CoveredSection(): ReactElement {
  return (
    <section className={styles.section} aria-labelledby="covered">
      <div className={styles.head}>
        <h2 id="covered">Covered routes</h2>
      </div>
      <p className={styles.text}>
        Every route of Invo’s contract: which Sharebook reads, which it writes through, and why it doesn’t use the rest.
      </p>
      <div className={styles.decision}>
        <LinkButton href="/settings/covered">Show routes</LinkButton>
      </div>
    </section>
  );
}
