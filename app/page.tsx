import { redirect } from 'next/navigation';
import type { ReactElement } from 'react';
import { firstPathOf } from '#lib/tasks/rules/task.ts';
import { listGames } from './_server/game.ts';
import { requirePerson } from './_server/session.ts';
import { SignedInShell } from './_shell/signed-in-shell.tsx';
import { EmptyState } from './_ui/words/empty-state.tsx';

export default async function HomePage(): Promise<ReactElement> {
  const person = await requirePerson();
  const [game] = await listGames();
  if (game) redirect(firstPathOf(game.slug, person.roles));
  return (
    <SignedInShell slug={null}>
      <EmptyState isPage title="No game is configured">
        <p>
          Set <code>INVO_GAME</code>, <code>INVO_BASE_URL</code> and <code>INVO_GAME_SECRET</code> for one game, or list several games in
          the file named by
          <code>SHAREBOOK_GAMES_FILE</code>. Then restart Sharebook. See .env.example for all variables.
        </p>
      </EmptyState>
    </SignedInShell>
  );
}
