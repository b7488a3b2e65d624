import Link from 'next/link';
import type { ReactElement, ReactNode } from 'react';
import { openLookUp } from '#app/_server/game.ts';
import { Card } from '#app/_ui/layout/card.tsx';
import styles from '#app/[game]/_desk/glance.module.css';
import { RefreshButton } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { ReadTime } from '#app/[game]/_subscriptions/read-notices.tsx';
import type { GameContext } from '#lib/games/game-context.ts';
import { findPlayerOrders, type PlayerOrders } from '#lib/orders/find-player-orders.ts';
import { type PlayerRead, readStoredPlayer } from '#lib/players/read-player.ts';
import type { StoredPlayer } from '#lib/players/reads.ts';
import type { ReadOptions } from '#lib/subscriptions/read-detail.ts';
import { findShownPlayer, type OpenTab } from './player-tab.tsx';

/** The parts of a player's page, each read and read again by itself. */
export const PARTS = ['wallet', 'refunds', 'loyalty', 'billing', 'orders', 'transfers'] as const;
export type PartName = (typeof PARTS)[number];

/** An answer of Invo that is younger is shown with its age, and not requested again when the page is opened. */
const FRESH_S = 60;

/** What the parts of one page share. */
export interface OpenParts extends OpenTab {
  context: GameContext;
  /** Who the player is: reads the wallet the first time, which every part waits for that shows an answer of Invo. */
  player: () => Promise<PlayerRead>;
  /** The orders Sharebook knows of the player. */
  orders: () => Promise<PlayerOrders>;
  /** From which age on a part requests its answers again. */
  options: ReadOptions;
}

/** Opens the parts of a player's page. `reread`: the one part that is requested whatever is stored. */
export function openParts(tab: OpenTab, reread?: PartName): OpenParts {
  const { game, playerId } = tab;
  const context = openLookUp(game, tab.person);
  const [fresh, now] = [{ freshFor_s: FRESH_S }, {}];
  let player: Promise<PlayerRead> | null = null;
  let orders: Promise<PlayerOrders> | null = null;
  const stored = async (): Promise<StoredPlayer | null> => (await findShownPlayer(tab))?.stored ?? null;
  return {
    ...tab,
    context,
    player: () => (player ??= stored().then((found) => readStoredPlayer(context, found, reread === 'wallet' ? now : fresh))),
    orders: () =>
      (orders ??= stored().then((found) => findPlayerOrders(context.game, { playerId, identityId: found?.identityId ?? null }))),
    options: reread === undefined ? fresh : now,
  };
}

interface PartCardProps {
  title: string;
  /** What was read, or how it failed; left out: nothing of it was requested from Invo. */
  read?: { kind: string; readAt?: string; age_s?: number };
  timeZone: string;
  note?: string;
  /** Where there is more of it. */
  more?: { href: string; word: string };
  children: ReactNode;
}

/** A card of a part: its title, when it was read, what it shows and where there is more. */
export function PartCard({ title, read, timeZone, note, more, children }: PartCardProps): ReactElement {
  return (
    <Card
      title={title}
      aside={
        <span className={styles.refresh}>
          <RefreshButton word="Refresh" isQuiet />
        </span>
      }
    >
      {(read?.readAt !== undefined || note !== undefined) && (
        <p className={styles.read}>
          {read?.readAt !== undefined && (
            <>
              {read.kind === 'live' ? 'Read from Invo at' : 'Last read from Invo at'}{' '}
              <ReadTime {...read} at={read.readAt} timeZone={timeZone} />
              {'. '}
            </>
          )}
          {note}
        </p>
      )}
      {children}
      {more !== undefined && (
        <p className={styles.more}>
          <Link href={more.href}>{more.word}</Link>
        </p>
      )}
    </Card>
  );
}
