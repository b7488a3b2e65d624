import type { ReactElement } from 'react';
import { type Game, listGames } from '#app/_server/game.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import styles from './detail.module.css';
import { nameGame } from './name-game.ts';

/** Invo's own word that a thing is not in this game and environment, and the way to the others the person may see. */
export async function NotHere({ game, what, path }: { game: Game; what: string; path: string }): Promise<ReactElement> {
  const others = (await listGames()).filter(({ slug }) => slug !== game.slug);
  return (
    <EmptyState
      title={`${what} is not in this game and environment`}
      action={
        others.length > 0 && (
          <div className={styles.actions}>
            {others.map((other) => (
              <LinkButton key={other.slug} href={`/${other.slug}/${path}`}>
                Look in {nameGame(other)}
              </LinkButton>
            ))}
          </div>
        )
      }
    >
      Invo was asked and does not know it in {nameGame(game)}. Ids of other games and of the other environment are not found here.
    </EmptyState>
  );
}
