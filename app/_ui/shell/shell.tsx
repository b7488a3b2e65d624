import { ChevronsUpDown, Menu } from 'lucide-react';
import Link from 'next/link';
import type { CSSProperties, ReactElement, ReactNode } from 'react';
import type { Game } from '#lib/core/game.ts';
import { PopupButton } from '../controls/menu.tsx';
import { SideDialog } from '../controls/side-dialog.tsx';
import { type NavGroup, Navigation } from './navigation.tsx';
import styles from './shell.module.css';

/** A game of the switcher. */
interface SwitcherGame extends Game {
  /** How much needs the person there; null: not known now. */
  count: number | null;
}

export interface ShellProps {
  /** The game on the screen; null: a page about no game. */
  game: Game | null;
  /** The game that the links lead to: with one game only, pages about no game show it too, so that the links don't move. */
  linkedGame: Game | null;
  /** Every game configured. */
  games: SwitcherGame[];
  isSimulated: boolean;
  /** The signed-in person with their controls: sign out, theme. */
  person: ReactNode;
  /** Opens the search: a button for the sidebar, an icon for the bar of a narrow screen. */
  search: { side: ReactNode; bar: ReactNode };
  /** Opens the notices. */
  notices: ReactNode;
  /** The pages, of the game that is shown and of none. */
  groups: NavGroup[];
  /** Single keys act on pages. */
  hasShortcuts: boolean;
  /** Below every page. */
  footnote: ReactNode;
  children: ReactNode;
}

/** The frame of every page for signed-in people. */
export function Shell(props: ShellProps): ReactElement {
  const { game, linkedGame, games, isSimulated, person, search, notices, groups, hasShortcuts, footnote, children } = props;
  const isSandbox = game?.environment === 'sandbox';
  const linesAbove = Number(isSimulated) + Number(isSandbox);
  const side = (
    <>
      <Navigation groups={groups} />
      <div className={styles.person}>{person}</div>
    </>
  );
  const switcher = <GameSwitcher current={linkedGame} games={games} />;
  return (
    <>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <aside aria-label="Data source">
        {isSimulated && <p className={styles.simulated}>Simulated data. No real money moved.</p>}
        {isSandbox && <p className={styles.sandbox}>Sandbox of {game?.name}. No real money moved.</p>}
      </aside>
      <div
        className={styles.frame}
        style={{ '--lines-above': linesAbove } as CSSProperties}
        {...(hasShortcuts ? {} : { 'data-single-keys': 'off' })}
      >
        <header className={styles.bar} data-print="no">
          {switcher}
          <div className={styles.controls}>
            {search.bar}
            {notices}
            <SideDialog kind="menu" opener={<Menu size={20} aria-hidden="true" />} label="Menu" title="Menu">
              {side}
            </SideDialog>
          </div>
        </header>
        <aside className={styles.side} aria-label="Sidebar" data-print="no">
          {switcher}
          <div className={styles.tools}>
            {search.side}
            {notices}
          </div>
          {side}
        </aside>
        <main id="main" tabIndex={-1} className={styles.page}>
          <div className={styles.main}>
            {children}
            {/* `listenForKeys` waits for it: everything that a key acts on is before it. */}
            <p className={styles.footnote} data-frame-end="">
              {footnote}
            </p>
          </div>
        </main>
      </div>
    </>
  );
}

const UNKNOWN = 'How many need you isn’t known now';

/** The game on the screen; with several games, a button that lists them with what needs the person in each. */
function GameSwitcher({ current, games }: { current: Game | null; games: SwitcherGame[] }): ReactElement {
  if (games.length < 2)
    return <div className={styles.game}>{current === null ? <strong>Sharebook</strong> : <GameMark game={current} />}</div>;
  const others = games.filter(({ slug }) => slug !== current?.slug);
  const waiting = others.reduce((sum, { count }) => sum + (count ?? 0), 0);
  const isWhole = others.every(({ count }) => count !== null);
  return (
    <div className={styles.game}>
      <PopupButton
        kind="plain"
        content={
          <>
            {current === null ? <strong className={styles.names}>Choose a game</strong> : <GameMark game={current} />}
            <ChevronsUpDown size={14} aria-hidden="true" className={styles.chevrons} />
            {(waiting > 0 || !isWhole) && (
              <span className={styles.elsewhere}>
                <span className="sr-only">{isWhole ? `${waiting} need you in other games` : 'Some other games can’t be read now'}</span>
              </span>
            )}
          </>
        }
      >
        <nav aria-label="Games">
          {games.map((game) => (
            <Link
              key={game.slug}
              href={`/${game.slug}`}
              prefetch={false}
              className={styles.choice}
              aria-current={game.slug === current?.slug ? 'true' : undefined}
            >
              <GameMark game={game} />
              {game.count !== 0 && (
                <span className={styles.count} title={game.count === null ? UNKNOWN : undefined}>
                  {game.count ?? '?'}
                  <span className="sr-only"> {game.count === null ? UNKNOWN : 'need you'}</span>
                </span>
              )}
            </Link>
          ))}
        </nav>
      </PopupButton>
    </div>
  );
}

function GameMark({ game }: { game: Game }): ReactElement {
  return (
    <>
      <span className={styles.mark} aria-hidden="true">
        {[...game.name][0]?.toUpperCase()}
      </span>
      <span className={styles.names}>
        <strong className={styles.name}>{game.name}</strong>
        <span className={styles.where}>
          {game.environment === 'production' ? 'Production' : 'Sandbox'} · {game.timeZone}
        </span>
      </span>
    </>
  );
}

/** The name of a game in a list of games. */
export function formatGame({ name, environment }: Game): string {
  return environment === 'sandbox' ? `${name}, sandbox` : name;
}
