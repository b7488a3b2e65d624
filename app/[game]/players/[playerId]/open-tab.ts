import { notFound } from 'next/navigation';
import { type Game, requireGame } from '#app/_server/game.ts';
import { type Person, requirePerson } from '#app/_server/session.ts';
import { parseNumericId } from '#lib/core/ids.ts';

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
