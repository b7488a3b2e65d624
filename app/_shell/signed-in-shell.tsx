import { cookies } from 'next/headers';
import Link from 'next/link';
import type { ReactElement, ReactNode } from 'react';
import type { Game } from '#lib/core/game.ts';
import { formatRoles } from '#lib/core/roles.ts';
import { listGames } from '../_server/game.ts';
import { config } from '../_server/server-context.ts';
import { type Person, requirePerson } from '../_server/session.ts';
import { ThemeSwitch } from '../_ui/controls/theme-switch.tsx';
import { SubmitButton } from '../_ui/forms/form.tsx';
import type { NavLink } from '../_ui/shell/navigation.tsx';
import { formatGame, Shell } from '../_ui/shell/shell.tsx';
import { searchAction, signOut } from './actions.ts';
import { countForBadges } from './badge-count.ts';
import { SearchButton, SearchDialog } from './search/search-dialog.tsx';
import styles from './signed-in-shell.module.css';

/** The frame with the signed-in person's data. Signed out, it redirects to the sign-in page. */
export async function SignedInShell({ slug, children }: { slug: string | null; children: ReactNode }): Promise<ReactElement> {
  // One after the other: the statement that finds the person brings the games along.
  const person = await requirePerson();
  const [games, store] = await Promise.all([listGames(), cookies()]);
  const corner = (
    <div className={styles.corner}>
      <p className={styles.name} title={person.email}>
        <bdi>{person.name}</bdi>
      </p>
      <p className={styles.role}>{formatRoles(person.roles)}</p>
      <Link className={styles.account} href="/settings/account" prefetch={false}>
        Your account
      </Link>
      <form action={signOut}>
        <SubmitButton kind="plain" pendingWord="Signing out…">
          Sign out
        </SubmitButton>
      </form>
      <ThemeSwitch stored={store.get('theme')?.value} />
    </div>
  );
  const game = games.find((each) => each.slug === slug) ?? null;
  const linkedGame = game ?? (games.length === 1 ? games[0] : undefined) ?? null;
  const links =
    linkedGame === null ? pageLinks(person, 0) : gameLinks(linkedGame, person, await countForBadges(linkedGame.gameId, person.id));
  const searchIn = game ?? games[0] ?? null;
  return (
    <>
      {/* First, so that the browser has read it before the first key. */}
      {searchIn !== null && (
        <SearchDialog
          action={searchAction}
          games={games.map((each) => ({ slug: each.slug, label: formatGame(each) }))}
          slug={searchIn.slug}
          canSeeEmails={person.may('emails.read')}
        />
      )}
      <Shell
        game={game}
        linkedGame={linkedGame}
        games={games}
        isSimulated={config().isSimulated}
        person={corner}
        links={links}
        search={{ side: searchIn && <SearchButton />, bar: searchIn && <SearchButton isShort /> }}
        footnote={ATTRIBUTION_FOOTNOTE}
      >
        {children}
      </Shell>
    </>
  );
}

/** Accompanies every figure (document 2, attribution reporting: not a remittance advice, the payer is the partner). */
const ATTRIBUTION_FOOTNOTE = 'Attribution report. Invo settles to the partner only and hasn’t paid any recipient.';

type Waiting = Awaited<ReturnType<typeof countForBadges>>;

/** The pages of a game that the person may open, with what waits there for them, and those of none. */
function gameLinks({ slug }: Game, person: Person, waiting: Waiting): NavLink[] {
  const payouts = person.may('payouts.approve') ? waiting.payouts : 0;
  return [
    { label: 'Months', href: `/${slug}/months` },
    { label: 'Payouts', href: `/${slug}/payouts`, asking: { count: payouts, label: 'waiting for you' } },
    { label: 'Recipients', href: `/${slug}/recipients` },
    { label: 'Refunds', href: `/${slug}/refunds`, asking: { count: waiting.refunds, label: 'need action' } },
    ...(person.may('desk.read') ? [{ label: 'Transfers', href: `/${slug}/transfers` }] : []),
    ...(person.may('balances.read') ? [{ label: 'Balances', href: `/${slug}/balances` }] : []),
    ...(person.may('deliveries.read')
      ? [{ label: 'Webhooks', href: `/${slug}/webhooks`, asking: { count: waiting.deliveries, label: 'need attention' } }]
      : []),
    ...pageLinks(person, waiting.notices),
  ];
}

/** The pages of no game that the person may open. */
function pageLinks(person: Person, unreadCount: number): NavLink[] {
  return [
    ...(person.may('notices.read') ? [{ label: 'Notices', href: '/notices', asking: { count: unreadCount, label: 'unread' } }] : []),
    ...(person.may('audit.read') ? [{ label: 'Audit', href: '/audit' }] : []),
    { label: 'Settings', href: '/settings' },
  ];
}
