import { Menu } from 'lucide-react';
import type { CSSProperties, ReactElement, ReactNode } from 'react';
import type { Game } from '#lib/core/game.ts';
import { SideDialog } from '../controls/side-dialog.tsx';
import { type NavLink, NavLinks } from './navigation.tsx';
import styles from './shell.module.css';

export interface ShellProps {
  /** The game on the screen; null: a page about no game. */
  game: Game | null;
  /** The game that the links lead to: with one game only, pages about no game show it too, so that the links don't move. */
  linkedGame: Game | null;
  /** Every game configured. */
  games: Game[];
  isSimulated: boolean;
  /** The signed-in person with their controls: sign out, theme. */
  person: ReactNode;
  /** Opens the search: a button for the sidebar, an icon for the bar of a narrow screen. */
  search: { side: ReactNode; bar: ReactNode };
  /** The pages, of the game that is shown and of none. */
  links: NavLink[];
  /** Below every page. */
  footnote: ReactNode;
  children: ReactNode;
}

/** The frame of every page for signed-in people. */
export function Shell({ game, linkedGame, games, isSimulated, person, search, links, footnote, children }: ShellProps): ReactElement {
  const isSandbox = game?.environment === 'sandbox';
  const linesAbove = Number(isSimulated) + Number(isSandbox);
  const side = (
    <>
      <NavLinks label="Main" links={links} />
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
          {linkedGame === null ? <strong>Sharebook</strong> : <GameMark game={linkedGame} />}
          <div className={styles.controls}>
            {search.bar}
            <SideDialog kind="menu" opener={<Menu size={20} aria-hidden="true" />} label="Menu" title="Menu">
              {linkedGame !== null && <GameMark game={linkedGame} />}
              {side}
            </SideDialog>
          </div>
        </header>
        <aside className={styles.side} aria-label="Sidebar" data-print="no">
          {linkedGame !== null && <GameMark game={linkedGame} />}
          {search.side}
          {side}
        </aside>
        <main id="main" tabIndex={-1} className={styles.page}>
          <div className={styles.main}>
            {children}
            <p className={styles.footnote}>{footnote}</p>
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

function gameLink(game: Game): NavLink {
  return {
    label: formatGame(game),
    href: `/${game.slug}/months`,
    within: `/${game.slug}`,
  };
}

/** The name of a game in a list of games. */
export function formatGame({ name, environment }: Game): string {
  return environment === 'sandbox' ? `${name}, sandbox` : name;
}
