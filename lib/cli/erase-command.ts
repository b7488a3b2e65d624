import type { RemainingNames } from '#lib/evidence/reads/names-in-bytes.ts';
import { erasePlayer } from '../evidence/erase-player.ts';
import type { OpenGame } from '../games/open-game.ts';
import { type CommandContext, EXIT } from './command-context.ts';

/** Erases what names a recipient or another player, and lists what still names them. Their figures stay, and the chain stays verifiable. */
export async function eraseCommand(
  context: CommandContext,
  game: OpenGame,
  { recipient, reason, isJson }: { recipient: number; reason: string; isJson: boolean },
): Promise<number> {
  const done = await erasePlayer(game, { playerId: recipient, by: 'command line', reason });
  if (done === null) {
    context.log(`Nothing is stored of player ${recipient} in ${game.slug}.`);
    return EXIT.failed;
  }
  const remaining = describeRemaining(done.remaining);
  if (isJson) context.print(JSON.stringify({ game: game.slug, recipient, erased: done.isFirst, remaining }));
  else
    context.print(
      [
        done.isFirst
          ? `Erased email, name and identity of player ${recipient}.`
          : `Player ${recipient} was erased before. What was stored with their name since is removed.`,
        'What still names them:',
        ...remaining.map(({ count, what, why }) => `- ${count === null ? '' : `${count} `}${what}: ${why}`),
        'Ask Invo to erase the person too: later pulls store its raw responses as received.',
      ].join('\n'),
    );
  return EXIT.done;
}

/** Something that still names a person. */
interface Remaining {
  /** Its table, with the column where one is meant; null: outside the database. */
  place: string | null;
  /** null: Sharebook can't count it. */
  count: number | null;
  what: string;
  why: string;
}

function describeRemaining({ responses, responsesFrom, responsesTo, refundAnswers, texts }: RemainingNames): Remaining[] {
  const counted: Remaining[] = [
    {
      place: 'response',
      count: responses,
      what: `raw responses of windows from ${responsesFrom ?? ''} to ${responsesTo ?? ''}`,
      why: 'the chain of snapshots binds their bytes, and verify derives every figure from them.',
    },
    {
      place: 'refund_attempt.body',
      count: refundAnswers,
      what: 'answers of Invo to refunds',
      why: 'the chained audit has their digests, and verify derives the receipts from them.',
    },
    ...texts.map(({ place, count }) => ({
      place,
      count,
      what: `texts in ${place} with an email of theirs`,
      why: 'people wrote them, and they are part of what was approved or recorded.',
    })),
  ];
  return [
    ...counted.filter(({ count }) => count !== 0),
    { place: null, count: null, what: 'exported files and backups', why: 'they left Sharebook. Delete them where they are stored.' },
  ];
}
