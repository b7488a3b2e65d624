import { Bell } from 'lucide-react';
import { cookies } from 'next/headers';
import Link from 'next/link';
import type { ReactElement, ReactNode } from 'react';
import { formatRoles } from '#lib/core/roles.ts';
import type { BadgeCounts } from '#lib/tasks/rules/task.ts';
import { listGames } from '../_server/game.ts';
import { config } from '../_server/server-context.ts';
import { type Person, requirePerson } from '../_server/session.ts';
import { SideDialog } from '../_ui/controls/side-dialog.tsx';
import { ThemeSwitch } from '../_ui/controls/theme-switch.tsx';
import { SubmitButton } from '../_ui/forms/form.tsx';
import { Footnote, NoticesLink } from '../_ui/shell/navigation.tsx';
import { formatGame, Shell } from '../_ui/shell/shell.tsx';
import { ShortcutList } from '../_ui/shell/shortcut-list.tsx';
import { searchAction, signOut } from './actions.ts';
import { countForSwitcher, countIfThere } from './badge-count.ts';
import { listNavigation, type NavCounts } from './navigation-pages.ts';
import { SearchButton, SearchDialog } from './search/search-dialog.tsx';
import styles from './signed-in-shell.module.css';

/** The frame with the signed-in person's data. Signed out, it redirects to the sign-in page. */
export async function SignedInShell({ slug, children }: { slug: string | null; children: ReactNode }): Promise<ReactElement> {
  // One after the other: the statement that finds the person brings the games along.
  const person = await requirePerson();
  const [games, store] = await Promise.all([listGames(), cookies()]);
  const game = games.find((each) => each.slug === slug) ?? null;
  const linkedGame = game ?? (games.length === 1 ? games[0] : undefined) ?? null;
  const waiting = await countForSwitcher(person);
  const ofGame = linkedGame === null ? null : await countIfThere(linkedGame, person);
  const groups = listNavigation(linkedGame?.slug ?? null, person, ofGame === null ? {} : countsOf(person, ofGame));
  // The notices are those of all games.
  const counted = linkedGame === null ? [...waiting.values()] : [ofGame];
  const unreadCount = counted.length === 0 ? 0 : (counted.find((counts) => counts !== null)?.notices ?? null);
  const corner = (
    <div className={styles.corner}>
      <p className={styles.name} title={person.email}>
        <bdi>{person.name}</bdi>
      </p>
      <p className={styles.role}>{formatRoles(person.roles)}</p>
      <Link className={styles.account} href="/settings/account" prefetch={false}>
        Your account
      </Link>
      <SideDialog kind="quiet" opener="Keyboard shortcuts" shortcut="?" title="Keyboard shortcuts">
        <ShortcutList groups={groups} hasShortcuts={person.hasShortcuts} />
      </SideDialog>
      <form action={signOut}>
        <SubmitButton kind="plain" pendingWord="Signing out…">
          Sign out
        </SubmitButton>
      </form>
      <ThemeSwitch stored={store.get('theme')?.value} />
    </div>
  );
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
        games={games.map((each) => ({ ...each, count: countIn(person, waiting.get(each.gameId)) }))}
        isSimulated={config().isSimulated}
        person={corner}
        groups={groups}
        hasShortcuts={person.hasShortcuts}
        search={{ side: searchIn && <SearchButton />, bar: searchIn && <SearchButton isShort /> }}
        notices={person.may('notices.read') && <NoticesLink icon={<Bell size={18} aria-hidden="true" />} unreadCount={unreadCount} />}
        footnote={game !== null && <Footnote pages={`^/${game.slug}${ATTRIBUTED}`}>{ATTRIBUTION_FOOTNOTE}</Footnote>}
      >
        {children}
      </Shell>
    </>
  );
}

/**
 * The pages of a game about attributed money, after its slug: its first page, and these folders. Wallets, orders, transfers, webhooks and settings
 * aren't part of Invo's attribution report, and a recipient's statement states it on the paper.
 */
const ATTRIBUTED = '(?!/payouts/\\d+/statements/\\d)(/(months|recipients|payouts|refunds|periods|subscriptions)(/|$)|$)';

/** Accompanies every figure of them (document 2, attribution reporting: not a remittance advice, the payer is the partner). */
const ATTRIBUTION_FOOTNOTE = 'Attribution report. Invo settles to the partner only and hasn’t paid any recipient.';

const NOTHING: BadgeCounts = { payouts: 0, refunds: 0, actions: 0, deliveries: 0, notices: 0, arePayoutsPaused: false };

/** What needs the person in a game, by page. */
function countsOf(
  person: Person,
  { payouts, refunds, actions, deliveries }: Pick<BadgeCounts, 'payouts' | 'refunds' | 'actions' | 'deliveries'>,
): NavCounts {
  return {
    payouts: person.may('payouts.approve') ? payouts : 0,
    refunds,
    actions: person.may('desk.read') ? actions : 0,
    webhooks: person.may('deliveries.read') ? deliveries : 0,
  };
}

/** The same as one number, for the switcher of games; null: not known now. */
function countIn(person: Person, counts: BadgeCounts | null = NOTHING): number | null {
  return counts && Object.values(countsOf(person, counts)).reduce((sum, count) => sum + count, 0);
}
