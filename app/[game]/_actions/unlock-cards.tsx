import type { ReactElement } from 'react';
import { type Game, openLookUp } from '#app/_server/game.ts';
import type { Person } from '#app/_server/session.ts';
import { Card } from '#app/_ui/layout/card.tsx';
import { LoyaltyGlance } from '#app/[game]/_desk/loyalty-glance.tsx';
import { BLOCKER_TEXT } from '#lib/actions/text.ts';
import { readPlayer, readPlayerLoyalty } from '#lib/players/read-player.ts';

interface UnlockCardsProps {
  game: Game;
  person: Person;
  playerId: number;
}

/** What a milestone can unlock: the player’s loyalty programs as Invo reports them now. */
export async function UnlockCards({ game, person, playerId }: UnlockCardsProps): Promise<ReactElement> {
  const context = openLookUp(game, person);
  const player = await readPlayer(context, playerId);
  return (
    <Card title="What it can unlock">
      {player.kind === 'player' ? (
        <LoyaltyGlance read={await readPlayerLoyalty(context, player)} timeZone={game.timeZone} />
      ) : (
        <p>{player.kind === 'unknown' ? BLOCKER_TEXT.unknown_player : BLOCKER_TEXT[player.kind]}</p>
      )}
    </Card>
  );
}
