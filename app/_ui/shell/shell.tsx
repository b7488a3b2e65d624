import type { CSSProperties, ReactElement, ReactNode } from 'react';
import type { Game } from '#lib/core/game.ts';
import { AttributionNotice } from '../words/notice.tsx';
import { NarrowMenu } from './narrow-menu.tsx';
import { type NavLink, NavLinks } from './nav-links.tsx';
import styles from './shell.module.css';

export interface ShellProps {
  /** The game on the screen; null: a page about no game. */
  game: Game | null;
  /** Every game configured. */
  games: Game[];
  isSimulated: boolean;
  /** The signed-in person with their controls: sign out, theme. */
  person: ReactNode;
  /** Opens the search: a button for the sidebar, an icon for the bar of a narrow screen. */
  search: { side: ReactNode; bar: ReactNode };
  /** What waits for the person: refunds of the game that need action, its runs and adjustments, unread notices, and deliveries that need attention. */
  waiting: { refunds: number; payouts: number; notices: number; deliveries: number };
  hasWebhooks: boolean;
  hasAudit: boolean;
  hasNotices: boolean;
  /** They may read wallets, orders and transfers. */
  hasDesk: boolean;
  hasBalances: boolean;
  children: ReactNode;
}

/** The frame of every page for signed-in people. */
export function Shell(props: ShellProps): ReactElement {
  const { game, games, isSimulated, person, search, children } = props;
  // Where there is only one game, pages about no game show it too, so that the links keep their place.
  const shown = game ?? (games.length === 1 ? (games[0] ?? null) : null);
  const isSandbox = game?.environment === 'sandbox';
  const linesAbove = Number(isSimulated) + Number(isSandbox);
  const side = (
    <>
      <NavLinks label="Main" links={linksOf(shown, props)} />
      {games.length > 1 && <NavLinks label="Games" heading="Games" links={games.map((other) => gameLink(other))} />}
      <div className={styles.person}>{person}</div>
    </>
  );
  return (
    <>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <aside aria-label="Data source">
        {isSimulated && <p className={styles.simulated}>Simulated data. No real money moved.</p>}
        {isSandbox && <p className={styles.sandbox}>Sandbox of {game?.name}. No real money moved.</p>}
      </aside>
      <div className={styles.frame} style={{ '--lines-above': linesAbove } as CSSProperties}>
        <header className={styles.bar} data-print="no">
          {shown === null ? <strong>Sharebook</strong> : <GameMark game={shown} />}
          <div className={styles.controls}>
            {search.bar}
            <NarrowMenu>
              {shown !== null && <GameMark game={shown} />}
              {side}
            </NarrowMenu>
          </div>
        </header>
        <aside className={styles.side} aria-label="Sidebar" data-print="no">
          {shown !== null && <GameMark game={shown} />}
          {search.side}
          {side}
        </aside>
        <main id="main" tabIndex={-1} className={styles.page}>
          <div className={styles.main}>
            {children}
            <AttributionNotice />
          </div>
        </main>
      </div>
    </>
  );
}

function GameMark({ game }: { game: Game }): ReactElement {
  return (
    <div className={styles.game}>
      <span className={styles.mark} aria-hidden="true">
        {[...game.name][0]?.toUpperCase()}
      </span>
      <span className={styles.names}>
        <strong className={styles.name}>{game.name}</strong>
        <span className={styles.where}>
          {game.environment === 'production' ? 'Production' : 'Sandbox'} · {game.timeZone}
        </span>
      </span>
    </div>
  );
}

type LinksProps = Pick<ShellProps, 'waiting' | 'hasWebhooks' | 'hasAudit' | 'hasNotices' | 'hasDesk' | 'hasBalances'>;

function linksOf(game: Game | null, { waiting, hasWebhooks, hasAudit, hasNotices, hasDesk, hasBalances }: LinksProps): NavLink[] {
  const always = [
    ...(hasNotices ? [{ label: 'Notices', href: '/notices', asking: { count: waiting.notices, label: 'unread' } }] : []),
    ...(hasAudit ? [{ label: 'Audit', href: '/audit' }] : []),
    { label: 'Settings', href: '/settings' },
  ];
  if (game === null) return always;
  return [
    { label: 'Months', href: `/${game.slug}/months` },
    { label: 'Payouts', href: `/${game.slug}/payouts`, asking: { count: waiting.payouts, label: 'waiting for you' } },
    { label: 'Recipients', href: `/${game.slug}/recipients` },
    { label: 'Refunds', href: `/${game.slug}/refunds`, asking: { count: waiting.refunds, label: 'need action' } },
    ...(hasDesk ? [{ label: 'Transfers', href: `/${game.slug}/transfers` }] : []),
    ...(hasBalances ? [{ label: 'Balances', href: `/${game.slug}/balances` }] : []),
    ...(hasWebhooks
      ? [{ label: 'Webhooks', href: `/${game.slug}/webhooks`, asking: { count: waiting.deliveries, label: 'need attention' } }]
      : []),
    ...always,
  ];
}

function gameLink(game: Game): NavLink {
  return {
    label: game.environment === 'sandbox' ? `${game.name}, sandbox` : game.name,
    href: `/${game.slug}/months`,
    within: `/${game.slug}`,
  };
}
