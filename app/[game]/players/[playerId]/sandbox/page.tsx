import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactElement } from 'react';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import styles from '#app/[game]/_actions/actions.module.css';
import { openTab, type PlayerParams } from '../player-tab.tsx';
import { SANDBOX_TOOLS } from './sandbox-tools.ts';

export const metadata: Metadata = { title: 'Sandbox tools' };

/** What engineers try at Invo’s sandbox as this player. A game in production has no such page. */
export default async function SandboxPage({ params }: PlayerParams): Promise<ReactElement> {
  const { game, person, playerId } = await openTab({ params });
  if (game.environment !== 'sandbox' || !person.may('actions.request')) notFound();
  return (
    <Card title="Sandbox tools">
      <div className={styles.stack}>
        <p className={styles.sentence}>No real money. Each call is stored as an action, and its orders and webhooks show what follows.</p>
        <ul className={styles.list}>
          {Object.entries(SANDBOX_TOOLS).map(([tool, { title, sentence }]) => (
            <li key={tool}>
              <LinkButton href={`/${game.slug}/players/${playerId}/sandbox/${tool}`}>{`${title}…`}</LinkButton>
              <p className={styles.when}>{sentence}</p>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}
