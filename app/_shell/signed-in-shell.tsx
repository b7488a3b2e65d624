import { cookies } from 'next/headers';
import Link from 'next/link';
import type { ReactElement, ReactNode } from 'react';
import { formatRoles } from '#lib/core/roles.ts';
import { listGames } from '../_server/game.ts';
import { requirePerson } from '../_server/session.ts';
import { config } from '../_server/wiring.ts';
import { SubmitButton } from '../_ui/controls/submit-button.tsx';
import { ThemeSwitch } from '../_ui/controls/theme-switch.tsx';
import { Shell } from '../_ui/shell/shell.tsx';
import { parseTheme } from '../_ui/shell/theme.ts';
import { countForBadges } from './badge-count.ts';
import { searchAction } from './search/actions.ts';
import { SearchButton, SearchProvider } from './search/search-provider.tsx';
import { signOut } from './sign-out.ts';
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
      <ThemeSwitch theme={parseTheme(store.get('theme')?.value)} />
    </div>
  );
  const game = games.find((each) => each.slug === slug) ?? null;
  const shown = games.find((each) => each.slug === slug) ?? (games.length === 1 ? games[0] : undefined);
  const none = { refunds: 0, payouts: 0, notices: 0, deliveries: 0 };
  const waiting = shown === undefined ? none : await countForBadges(shown.gameId, person.id);
  const searchIn = game ?? games[0] ?? null;
  const shell = (
    <Shell
      game={game}
      games={games}
      isSimulated={config().isSimulated}
      person={corner}
      waiting={person.may('payouts.approve') ? waiting : { ...waiting, payouts: 0 }}
      hasWebhooks={person.may('deliveries.read')}
      hasAudit={person.may('audit.read')}
      hasNotices={person.may('notices.read')}
      hasDesk={person.may('desk.read')}
      hasBalances={person.may('balances.read')}
      search={{ side: searchIn && <SearchButton />, bar: searchIn && <SearchButton isShort /> }}
    >
      {children}
    </Shell>
  );
  if (searchIn === null) return shell;
  return (
    <SearchProvider
      action={searchAction}
      games={games.map(({ slug: of, name, environment }) => ({ slug: of, label: environment === 'sandbox' ? `${name}, sandbox` : name }))}
      slug={searchIn.slug}
      canSeeEmails={person.may('emails.read')}
    >
      {shell}
    </SearchProvider>
  );
}
