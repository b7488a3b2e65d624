import { withConnection } from '#db/kit/administer.ts';
import { formatCount } from '#lib/core/strings.ts';
import type { RemainingNames } from '#lib/evidence/reads/names-in-bytes.ts';
import { formatRoles } from '../core/roles.ts';
import { erasePlayer } from '../evidence/erase-player.ts';
import type { OpenGame } from '../games/open-game.ts';
import { confirmAsOperator } from '../people/second-person.ts';
import { CONFIRM_REFUSALS, formatDoubts } from '../people/text.ts';
import { type CommandContext, EXIT, readEmail } from './command-context.ts';

/**
 * Puts the operator behind the account of a person, as one of the two it needs and as the second for the roles it prints. The email is read from stdin, so that it
 * is in no process list. Uses the login of the web processes: only they may change people.
 */
export async function confirmPersonCommand(context: CommandContext, { isJson }: { isJson: boolean }): Promise<number> {
  const email = await readEmail(context);
  if (email === '')
    return context.fail(
      'Write the person’s email to stdin, such as: echo name@example.com | npm run --silent sharebook -- confirm-person',
      EXIT.usage,
    );
  const confirmed = await withConnection(context.config.databaseUrl, (db) => confirmAsOperator(db, email, context.config));
  if (!confirmed.ok) return context.fail(CONFIRM_REFUSALS[confirmed.reason]);
  const { isConfirmed, name, passwordSetAt, doubts, rolesGiven } = confirmed;
  if (isJson) {
    const about = { password_set_at: passwordSetAt, doubts_cleared: doubts };
    context.print(JSON.stringify({ email: confirmed.email, confirmed: isConfirmed, ...about, roles_given: rolesGiven }));
    return EXIT.done;
  }
  context.print(
    isConfirmed
      ? `${name}’s account is confirmed: it counts where two people are needed.`
      : `You stand behind ${name}’s account. One more confirmed person must confirm it in Settings.`,
  );
  context.print(`${formatDoubts(passwordSetAt, doubts)} If ${name} doesn’t know of this, disable the account in Settings.`);
  context.print(rolesGiven.length === 0 ? 'No roles waited for approval.' : `Roles given: ${formatRoles(rolesGiven)}.`);
  return EXIT.done;
}

/** Erases what names a recipient or another player, and lists what still names them. Their figures stay, and the chain stays verifiable. */
export async function eraseCommand(
  context: CommandContext,
  game: OpenGame,
  { recipient, reason, isJson }: { recipient: number; reason: string; isJson: boolean },
): Promise<number> {
  const done = await erasePlayer(game, { playerId: recipient, by: 'command line', reason });
  if (done.kind === 'unknown') return context.fail(`Nothing is stored of player ${recipient} in ${game.slug}.`);
  if (done.kind === 'house_account')
    return context.fail(
      `Player ${recipient} is a house account of ${game.slug}: people send coins from it. Nothing was erased. Remove it in Settings, Desk actions, and erase the player then.`,
    );
  const remaining = describeRemaining(done.remaining);
  if (isJson) context.print(JSON.stringify({ game: game.slug, recipient, erased: done.isFirst, remaining }));
  else
    context.print(
      [
        done.isFirst
          ? `Erased email, name and identity of player ${recipient}.`
          : `Player ${recipient} was erased before. What was stored with their name since is removed.`,
        'What still names them:',
        ...remaining.map(({ count, what, why }) => `- ${what}${count === null ? '' : ` (${formatCount(count)})`}: ${why}`),
        'Ask Invo to erase the person too: later pulls store its raw responses as received.',
      ].join('\n'),
    );
  return EXIT.done;
}

/** Something that still names a person. `place`: its table, with the column where one is meant; null: outside the database. `count` null: Sharebook can't count it. */
type Remaining = Record<'what' | 'why', string> & { place: string | null; count: number | null };

function describeRemaining({
  responses,
  responsesFrom,
  responsesTo,
  refundAnswers,
  paymentFiles,
  bankReports,
  texts,
}: RemainingNames): Remaining[] {
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
    {
      place: 'payout_batch.sealed',
      count: paymentFiles,
      what: 'payment files that pay them',
      why: 'they stay sealed under the key, and the audit has their digests. Evidence packs leave them out.',
    },
    {
      place: 'payment_report.sealed',
      count: bankReports,
      what: 'bank reports about payments to them',
      why: 'they stay sealed under the key, and verify matches their rows again. Reports that only repeat such rows aren’t counted. Evidence packs leave all of them out.',
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
