import { eraseRecipient } from '#db/evidence/writes/erasures.ts';
import { wakeRendition } from '#db/evidence/writes/renditions.ts';
import type { OpenGame } from '../games/open-game.ts';
import { type CommandContext, EXIT } from './command-context.ts';

/** Erases what names a recipient or another player. Their figures stay, and the chain stays verifiable. */
export async function eraseCommand(
  context: CommandContext,
  game: OpenGame,
  { recipient, reason, isJson }: { recipient: number; reason: string; isJson: boolean },
): Promise<number> {
  const erased = await eraseRecipient(game.pool, { gameId: game.gameId, playerId: recipient, by: 'command line', reason });
  if (erased === null) {
    context.log(`Nothing is stored of player ${recipient} in ${game.slug}.`);
    return EXIT.failed;
  }
  await wakeRendition(game.db, game.gameId);
  if (isJson) context.print(JSON.stringify({ game: game.slug, recipient, erased }));
  else
    context.print(
      erased
        ? `Erased email, name and identity of player ${recipient}. Raw responses and files exported before still hold them.`
        : `Player ${recipient} was erased before. No changes.`,
    );
  return EXIT.done;
}
