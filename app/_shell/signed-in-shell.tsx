import { cookies } from 'next/headers';
import Link from 'next/link';
import type { ReactElement, ReactNode } from 'react';
import type { Game } from '#lib/core/game.ts';
import { formatRoles } from '#lib/core/roles.ts';
import { firstPathOf } from '#lib/tasks/rules/task.ts';
import { listGames } from '../_server/game.ts';
import { config } from '../_server/server-context.ts';
import { type Person, requirePerson } from '../_server/session.ts';
import { ThemeSwitch } from '../_ui/controls/theme-switch.tsx';
import { SubmitButton } from '../_ui/forms/form.tsx';
import { Footnote, type NavLink } from '../_ui/shell/navigation.tsx';
import { Shell } from '../_ui/shell/shell.tsx';
import { searchAction, signOut } from './actions.ts';
import { countForBadges } from './badge-count.ts';
import { SearchButton, SearchProvider } from './search/search-provider.tsx';
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
  const links = linkedGame === null ? pageLinks(person, 0) : gameLinks(linkedGame, person, await countForBadges(linkedGame, person));
  const searchIn = game ?? games[0] ?? null;
  const shell = (
    <Shell
      game={game}
      linkedGame={linkedGame}
      games={games}
      isSimulated={config().isSimulated}
      person={corner}
      links={links}
      search={{ side: searchIn && <SearchButton />, bar: searchIn && <SearchButton isShort /> }}
      footnote={game !== null && <Footnote pages={`^/${game.slug}${ATTRIBUTED}`}>{ATTRIBUTION_FOOTNOTE}</Footnote>}
    >
      {children}
    </Shell>
  );
  if (searchIn === null) return shell;
  return (
    <SearchProvider
      action={searchAction}
      games={games.map(({ slug: gameSlug, name, environment }) => ({
        slug: gameSlug,
        label: environment === 'sandbox' ? `${name}, sandbox` : name,
      }))}
      slug={searchIn.slug}
      canSeeEmails={person.may('emails.read')}
    >
      {shell}
    </SearchProvider>
  );
}

/**
 * The pages of a game about attributed money, after its slug: its first page, and these folders. Wallets, orders, transfers, webhooks and settings
 * aren't part of Invo's attribution report, and a recipient's statement states it on the paper.
 */
const ATTRIBUTED = '(?!/payouts/\\d+/statements/\\d)(/(months|recipients|payouts|refunds|periods|subscriptions)(/|$)|$)';

/** Accompanies every figure of them (document 2, attribution reporting: not a remittance advice, the payer is the partner). */
const ATTRIBUTION_FOOTNOTE = 'Attribution report. Invo settles to the partner only and hasn’t paid any recipient.';

type Waiting = Awaited<ReturnType<typeof countForBadges>>;

/** The pages of a game that the person may open, with what waits there for them, and those of none. */
function gameLinks({ slug }: Game, person: Person, waiting: Waiting): NavLink[] {
  const payouts = person.may('payouts.approve') ? waiting.payouts : 0;
  return [
    // The address of the game itself: every page of it lies below.
    ...(firstPathOf(slug, person.roles) === `/${slug}` ? [{ label: 'Overview', href: `/${slug}`, within: `/${slug}/overview` }] : []),
    { label: 'Months', href: `/${slug}/months` },
    { label: 'Payouts', href: `/${slug}/payouts`, asking: { count: payouts, label: 'waiting for you' } },
    { label: 'Recipients', href: `/${slug}/recipients` },
    ...(person.may('desk.read') ? [{ label: 'Players', href: `/${slug}/players` }] : []),
    { label: 'Refunds', href: `/${slug}/refunds`, asking: { count: waiting.refunds, label: 'need action' } },
    ...(person.may('desk.read') ? [{ label: 'Transfers', href: `/${slug}/transfers` }] : []),
    ...(person.may('balances.read') ? [{ label: 'Balances', href: `/${slug}/balances` }] : []),
    ...(person.may('deliveries.read')
      ? [{ label: 'Webhooks', href: `/${slug}/webhooks`, asking: { count: waiting.deliveries, label: 'need attention' } }]
      : []),
    ...(person.may('audit.read') ? [{ label: 'Exceptions', href: `/${slug}/exceptions` }] : []),
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
