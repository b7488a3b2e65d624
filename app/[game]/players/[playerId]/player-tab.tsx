import Link from 'next/link';
import { notFound } from 'next/navigation';
import { cache, type ReactElement, Suspense } from 'react';
import { type Game, listGames, openLookUp, requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { type Person, requirePerson } from '#app/_server/session.ts';
import { SearchElsewhere } from '#app/_shell/search/search-dialog.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { formatGameName } from '#app/[game]/_subscriptions/format-names.ts';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { type PlayerDesk, playerDeskOf } from '#lib/actions/reads/open-actions.ts';
import { parseNumericId } from '#lib/core/typed-input.ts';
import type { GameContext } from '#lib/games/game-context.ts';
import { type KnownPlayer, type PlayerRead, readStoredPlayer } from '#lib/players/read-player.ts';
import { findPlayerWithOthers } from '#lib/players/reads.ts';

export interface PlayerParams {
  params: Promise<{ game: string; playerId: string }>;
}

/** Who looks at which player of which game; every tab begins with it. */
export interface OpenTab {
  game: Game;
  person: Person;
  playerId: number;
}

/** The first line of every tab: the right, the game and the player's id. */
export async function openTab({ params }: PlayerParams): Promise<OpenTab> {
  const person = await requirePerson('desk.read');
  const { game: slug, playerId: text } = await params;
  const game = await requireGame(slug);
  return { game, person, playerId: parseNumericId(text) ?? notFound() };
}

/** What is stored about the player of a tab, found once a request; null: nothing. */
export function findShownPlayer({
  game,
  playerId,
}: Pick<OpenTab, 'game' | 'playerId'>): ReturnType<typeof findPlayerWithOthers<PlayerDesk>> {
  return findOnce(game.gameId, playerId);
}

const findOnce = cache(async (gameId: number, playerId: number) => {
  const otherGameIds = (await listGames()).map((other) => other.gameId).filter((id) => id !== gameId);
  return await findPlayerWithOthers(db(), { gameId, playerId, otherGameIds }, playerDeskOf(gameId, playerId));
});

/** A tab whose player Invo knows, and how more is read for the person. */
export interface ReadTab extends OpenTab {
  context: GameContext;
  player: KnownPlayer;
}

interface PlayerTabProps {
  tab: OpenTab;
  body: (tab: ReadTab) => Promise<ReactElement> | ReactElement;
}

/** What a tab reads from Invo: its body once the wallet shows who the player is, otherwise why nothing is shown. */
export function PlayerTab(props: PlayerTabProps): ReactElement {
  return (
    <Suspense fallback={<LoadingFromInvo />}>
      <Read {...props} />
    </Suspense>
  );
}

async function Read({ tab, body }: PlayerTabProps): Promise<ReactElement> {
  const context = openLookUp(tab.game, tab.person);
  const player = await readStoredPlayer(context, (await findShownPlayer(tab))?.stored ?? null);
  return player.kind === 'player' ? await body({ ...tab, context, player }) : <PlayerNotice tab={tab} player={player} />;
}

interface PlayerNoticeProps {
  tab: OpenTab;
  player: Exclude<PlayerRead, { kind: 'player' }>;
}

/** Why the page shows no answer about a player, and what to do. */
export async function PlayerNotice({ tab: { game, person, playerId }, player }: PlayerNoticeProps): Promise<ReactElement> {
  if (player.kind === 'unknown')
    return (
      <EmptyState title={`Player ${playerId} isn’t known to Sharebook`}>
        Invo finds players by email only. Search for the player’s email or for one of their subscription IDs, then open this page again.
      </EmptyState>
    );
  if (player.kind === 'no_email')
    return (
      <Notice voice="wait" title="No email is known for this player">
        Invo finds players by email only. Search for the player’s email or open one of their subscriptions, then open this page again.
      </Notice>
    );
  if (player.kind === 'other_player')
    return (
      <Notice voice="bad" title="The stored email now belongs to another player">
        Invo’s answer isn’t shown because it is about{' '}
        <Link href={`/${game.slug}/players/${player.playerId}`}>player {player.playerId}</Link>. Search for this player’s new email.
      </Notice>
    );
  const others = (await listGames())
    .filter(({ slug }) => slug !== game.slug)
    .map((other) => ({ slug: other.slug, label: formatGameName(other) }));
  const isOffered = person.may('emails.read') && player.stored.email !== null && others.length > 0;
  return (
    <Notice
      voice="wait"
      title="Invo has no player with this email"
      actions={isOffered ? <SearchElsewhere others={others} text={player.stored.email ?? ''} /> : undefined}
    >
      In {formatGameName(game)}, no wallet and no subscriptions exist for this email. The player may have changed it.
    </Notice>
  );
}
