import type { ReactElement } from 'react';
import { type Game, openLookUp } from '#app/_server/game.ts';
import type { Person } from '#app/_server/session.ts';
import { Card } from '#app/_ui/layout/card.tsx';
import { LoyaltyGlance } from '#app/[game]/_desk/loyalty-glance.tsx';
import { readPlayer, readPlayerLoyalty } from '#lib/players/read-player.ts';

interface UnlockCardsProps {
  game: Game;
  person: Person;
  playerId: number;
}

/** What a milestone can unlock: the player’s loyalty programs as Invo reports them now. Nothing while Invo doesn’t know the player. */
export async function UnlockCards({ game, person, playerId }: UnlockCardsProps): Promise<ReactElement | null> {
  const context = openLookUp(game, person);
  const player = await readPlayer(context, playerId);
  if (player.kind !== 'player') return null;
  const read = await readPlayerLoyalty(context, player);
  return (
    <Card title="What it can unlock">
      <LoyaltyGlance read={read} timeZone={game.timeZone} />
    </Card>
  );
}
